// The page of one source: its summary, its actions, and its events, logs and configuration.
import type { ReactNode } from 'react';
import { useListPrefetch } from '../../api/paging.ts';
import { useRecord } from '../../api/record.ts';
import type { Source } from '../../api/records.ts';
import { pluralize } from '../../parts/format.ts';
import { Ago } from '../../parts/now.tsx';
import { Card, Facts, Page, Tabs } from '../../parts/page.tsx';
import { Failed, Loading } from '../../parts/states.tsx';
import { StateTag } from '../../parts/tag.tsx';
import { SourceActions } from './actions.tsx';
import { Configuration } from './configuration/configuration.tsx';
import { Endpoint, endpointOf, PublishInstructions } from './endpoint.tsx';
import { Events } from './events/events.tsx';
import { Logs } from './logs/logs.tsx';

const refetchMs = 3_000;
/** The lists of the tabs, which are loaded at the same time as the source. */
const lists: Readonly<Record<string, string>> = { events: 'event_summaries', logs: 'runs' };
const parent = { href: '/sources', name: 'Sources' };

export function SourcePage({ id, tab }: { readonly id: string; readonly tab: string }): ReactNode {
  const path = `/v1/sources/${encodeURIComponent(id)}`;
  const { data: source, error, refetch } = useRecord<Source>(path, refetchMs);
  const list = lists[tab];
  useListPrefetch(list === undefined ? undefined : `${path}/${list}`);
  if (source === undefined)
    return (
      <Page title="Source" parent={parent}>
        <Card flush>{error === null ? <Loading /> : <Failed error={error} retry={() => void refetch()} />}</Card>
      </Page>
    );
  return (
    <Page
      title={source.name ?? source.id}
      badge={<StateTag state={source.state} />}
      lead={<span className="mono">{source.id}</span>}
      parent={parent}
      actions={<SourceActions source={source} />}
    >
      <Summary source={source} />
      <Tabs
        label="Of this source"
        tabs={[
          { href: `/sources/${id}`, name: 'Events' },
          ...(source.kind === 'channel' ? [] : [{ href: `/sources/${id}/logs`, name: 'Logs' }]),
          { href: `/sources/${id}/configuration`, name: 'Configuration' },
        ]}
      />
      <TabContent source={source} tab={tab} />
    </Page>
  );
}

function TabContent({ source, tab }: { readonly source: Source; readonly tab: string }): ReactNode {
  if (tab === 'logs') return <Logs source={source} />;
  if (tab === 'configuration') return <Configuration key={source.id} source={source} />;
  return <Events source={source} />;
}

function Summary({ source }: { readonly source: Source }): ReactNode {
  const endpoint = endpointOf(source);
  const { refusal } = source;
  return (
    <Card>
      <Facts
        facts={{
          Kind: source.kind === 'channel' ? 'Channel: events are published to it' : 'Component',
          ...(source.kind === 'channel'
            ? {}
            : { Version: source.version, 'Last run': <Ago ms={source.last_run_at_ms} /> }),
          'Last event': <Ago ms={source.last_event_at_ms} />,
          ...(source.next_run_at_ms === null ? {} : { 'Next run': <Ago ms={source.next_run_at_ms} /> }),
          ...(source.kind === 'channel' ? {} : { 'Runs at once': pluralize(source.concurrency, 'run') }),
          Created: <Ago ms={source.created_at * 1_000} />,
        }}
      />
      {endpoint === undefined ? null : <Endpoint url={endpoint} />}
      {source.kind === 'channel' ? <PublishInstructions id={source.id} /> : null}
      {refusal === undefined ? null : (
        <p className="pre bad-text" role="alert">
          {refusal.error}
        </p>
      )}
    </Card>
  );
}
