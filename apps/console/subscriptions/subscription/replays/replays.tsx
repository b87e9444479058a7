// The replays of a subscription: starts one, shows their progress, and cancels them.
import type { ReactNode } from 'react';
import { Button, Progress } from '@mantine/core';
import { post } from '../../../api/http.ts';
import { useList } from '../../../api/paging.ts';
import { useChange } from '../../../api/record.ts';
import type { Replay, SubscriptionDetail } from '../../../api/records.ts';
import { formatCount } from '../../../parts/format.ts';
import { Ago } from '../../../parts/now.tsx';
import { Card } from '../../../parts/page.tsx';
import { Empty, Failed, Loading } from '../../../parts/states.tsx';
import { StateTag } from '../../../parts/tag.tsx';
import { ReplayWizard } from './replay-wizard.tsx';

const refetchMs = 1_000;

export function Replays({ subscription }: { readonly subscription: SubscriptionDetail }): ReactNode {
  const path = `/v1/subscriptions/${subscription.id}/replays`;
  const list = useList<Replay>(path, { refetchMs });
  const emptyList = (
    <Empty icon="delivery" title="No replays yet">
      A replay is for events that the receiver lost, or never had: while it was away, or before its mistake was mended.
    </Empty>
  );
  return (
    <div className="two">
      <Card title="Replays" flush>
        {list.isLoading ? <Loading rows={2} /> : null}
        {list.error !== null && list.items.length === 0 ? <Failed error={list.error} retry={list.reload} /> : null}
        {!list.isLoading && list.error === null && list.items.length === 0 ? emptyList : null}
        <ul className="plain-list" aria-label="Replays">
          {list.items.map((replay) => (
            <ReplayEntry key={replay.id} path={path} replay={replay} />
          ))}
        </ul>
      </Card>
      <ReplayWizard subscription={subscription} />
    </div>
  );
}

function ReplayEntry({ path, replay }: { readonly path: string; readonly replay: Replay }): ReactNode {
  const cancel = useChange(() => post(`${path}/${replay.id}/cancel`));
  const { total, done, failed, passed, retrying, state, reason } = replay;
  const ended = done + failed + passed;
  const share = total === null || total === 0 ? (state === 'done' ? 100 : 0) : (ended / total) * 100;
  return (
    <li>
      <span className="actions">
        <StateTag state={state} />
        <span>
          {formatCount(done)} of {total === null ? '…' : formatCount(total)} delivered
          {failed > 0 ? `, ${formatCount(failed)} failed` : ''}
          {retrying > 0 ? `, ${formatCount(retrying)} waiting after a failed attempt` : ''}
          {passed > 0 ? `, ${formatCount(passed)} gone` : ''}
        </span>
      </span>
      {state === 'pending' || state === 'running' ? (
        <Button size="compact-xs" variant="default" loading={cancel.isPending} onClick={() => cancel.mutate()}>
          Cancel
        </Button>
      ) : (
        <span />
      )}
      <span className="entry-sub card-body bare">
        <Progress value={share} aria-label="Progress" size="sm" />
        <span className="dim small">
          {replay.only} · <Ago ms={replay.requested_at_ms} />
          {reason === null ? '' : ` · ${reason.replaceAll('_', ' ')}`}
        </span>
      </span>
    </li>
  );
}
