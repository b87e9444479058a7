// The page of one webhook: whether it sends, its subscriptions, its keys and its policy.
import type { ReactNode } from 'react';
import { Alert, Button } from '@mantine/core';
import { Link, useLocation } from 'wouter';
import { post, put, remove } from '../../api/http.ts';
import { problemOf } from '../../api/problem.ts';
import { useChange, useRecord } from '../../api/record.ts';
import type { WebhookWithKey, Webhook } from '../../api/records.ts';
import { webhookName } from '../../api/names.ts';
import { ConfirmedButton, deleteButtonProps } from '../../parts/confirm.tsx';
import { isolateBidi } from '../../parts/format.ts';
import { Ago } from '../../parts/now.tsx';
import { useEdits } from '../../parts/hooks/edits.ts';
import { useUnsaved } from '../../parts/hooks/unsaved.ts';
import { Card, Page } from '../../parts/page.tsx';
import { Failed, Loading } from '../../parts/states.tsx';
import { StateTag } from '../../parts/tag.tsx';
import { SubscriptionsTable } from '../../subscriptions/subscriptions-table.tsx';
import { ErrorAlert } from '../../parts/error-alert.tsx';
import { changesOf, policyOf } from '../policy.ts';
import { PolicyForm } from '../policy-form.tsx';
import { SigningKey } from '../signing-key.tsx';
import { stateOf } from '../webhook-state.ts';
import { AttemptCharts } from './attempt-charts.tsx';
import { RecentDeliveries } from './recent-deliveries.tsx';
import { TestWebhook } from './test-webhook.tsx';

const refetchMs = 5_000;
const parent = { href: '/webhooks', name: 'Webhooks' };

export function WebhookPage({ id }: { readonly id: string }): ReactNode {
  const { data: webhook, error, refetch } = useRecord<Webhook>(`/v1/webhooks/${encodeURIComponent(id)}`, refetchMs);
  if (webhook === undefined)
    return (
      <Page title="Webhook" parent={parent}>
        <Card flush>{error === null ? <Loading /> : <Failed error={error} retry={() => void refetch()} />}</Card>
      </Page>
    );
  return (
    <Page
      title={webhookName(webhook)}
      badge={<StateTag state={stateOf(webhook)} />}
      lead={<span className="mono">{webhook.url}</span>}
      parent={parent}
      actions={<Actions webhook={webhook} />}
    >
      {webhook.disabled_reason === 'gone' ? (
        <ErrorAlert message="The receiver answered 410: it is gone. Nothing is sent until the webhook is resumed." />
      ) : null}
      {webhook.failing_since_ms === null ? null : <FailingAlert since={webhook.failing_since_ms} />}
      <Card flush title="Subscriptions" actions={<SubscribeButton id={id} />}>
        <SubscriptionsTable listenerId={id} />
      </Card>
      <AttemptCharts id={id} />
      <RecentDeliveries id={id} />
      <TestWebhook id={id} />
      <Keys webhook={webhook} />
      <PolicyCard webhook={webhook} />
    </Page>
  );
}

const FailingAlert = ({ since }: { readonly since: number }): ReactNode => (
  <Alert color="red" variant="outline" title="Failing" role="alert">
    The attempts since <Ago ms={since} /> have all failed. Once the receiver works, deliveries continue by themselves.
  </Alert>
);

const SubscribeButton = ({ id }: { readonly id: string }): ReactNode => (
  <Button component={Link} size="xs" variant="default" href={`/subscriptions/new?webhook=${id}`}>
    Subscribe to a source
  </Button>
);

function Actions({ webhook }: { readonly webhook: Webhook }): ReactNode {
  const path = `/v1/webhooks/${webhook.id}`;
  const [, go] = useLocation();
  const toggle = useChange((verb: 'pause' | 'resume') => post(`${path}/${verb}`));
  const deletion = useChange(() => remove(path), {
    doneMessage: 'The webhook is deleted.',
    onDone: () => go('/webhooks'),
    quiet: true,
  });
  return (
    <>
      <Button
        variant={webhook.active ? 'default' : 'filled'}
        loading={toggle.isPending}
        onClick={() => toggle.mutate(webhook.active ? 'pause' : 'resume')}
      >
        {webhook.active ? 'Pause' : 'Resume'}
      </Button>
      <ConfirmedButton
        label="Delete"
        buttonProps={deleteButtonProps}
        change={deletion}
        title={`Delete ${isolateBidi(webhookName(webhook))}?`}
        verb="Delete webhook"
      >
        Its subscriptions are deleted too, and nothing more is sent to it. This cannot be undone.
      </ConfirmedButton>
    </>
  );
}

function Keys({ webhook }: { readonly webhook: Webhook }): ReactNode {
  const rotation = useChange(
    () => post<{ readonly data: WebhookWithKey }>(`/v1/webhooks/${webhook.id}/regenerate_signing_key`),
    { doneMessage: 'A new key signs from now on; the former one also signs for a day.', quiet: true },
  );
  return (
    <Card
      title="Signing"
      actions={
        <ConfirmedButton
          label="New signing key"
          buttonProps={{ size: 'xs', variant: 'default' }}
          change={rotation}
          title="Sign with a new key?"
          verb="Make a new key"
        >
          The receiver needs the new key within a day: until then the former one signs each request too.
        </ConfirmedButton>
      }
    >
      <p className="dim small">
        Each request is signed by {webhook.signature}. After a new key the former one signs too for a day, so that the
        receiver can change over.
      </p>
      <SigningKey webhook={rotation.data?.data ?? webhook} />
    </Card>
  );
}

function PolicyCard({ webhook }: { readonly webhook: Webhook }): ReactNode {
  const stored = policyOf(webhook);
  const { values, isChanged, change } = useEdits(stored);
  const save = useChange(() => put(`/v1/webhooks/${webhook.id}`, changesOf(stored, values)), {
    doneMessage: 'The webhook is saved. Attempts that begin from now on go by it.',
    quiet: true,
  });
  useUnsaved(isChanged && !save.isPending);
  const problem = save.isError ? problemOf(save.error) : undefined;
  return (
    <Card title="Policy">
      <form
        className="form"
        onSubmit={(event) => {
          event.preventDefault();
          if (isChanged) save.mutate();
        }}
      >
        {problem === undefined ? null : <ErrorAlert message={problem.message} />}
        <PolicyForm policy={values} problems={problem?.fields ?? {}} onChange={change} />
        <div>
          <Button type="submit" disabled={!isChanged} loading={save.isPending}>
            Save policy
          </Button>
        </div>
      </form>
    </Card>
  );
}
