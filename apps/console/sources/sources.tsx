// The page of all sources: what they are, whether they run, and what they last did.
import type { ReactNode } from 'react';
import { Link, Redirect, useSearchParams } from 'wouter';
import type { Source } from '../api/records.ts';
import { CreateLink } from '../parts/create/create-link.tsx';
import { Ago } from '../parts/now.tsx';
import { Card, Page } from '../parts/page.tsx';
import { SearchField, useSearchText } from '../parts/search/search-field.tsx';
import { useRecordSearch } from '../parts/search/use-record-search.ts';
import { Empty } from '../parts/states.tsx';
import { ListTable } from '../parts/table.tsx';
import type { Column } from '../parts/table.tsx';
import { StateTag, Tag } from '../parts/tag.tsx';

const refetchMs = 5_000;

const columns: readonly Column<Source>[] = [
  {
    name: 'Name',
    cell: ({ id, name, kind }) => (
      <>
        <Link href={`/sources/${id}`} className="row-link clip">
          {name ?? id}
        </Link>
        <span className="dim mono">{id}</span> {kind === 'channel' ? <Tag>channel</Tag> : null}
      </>
    ),
  },
  { name: 'State', cell: ({ state }) => <StateTag state={state} /> },
  { name: 'Last event', cell: ({ last_event_at_ms }) => <Ago ms={last_event_at_ms} /> },
  { name: 'Last run', cell: ({ last_run_at_ms }) => <Ago ms={last_run_at_ms} /> },
  { name: 'Next run', cell: ({ next_run_at_ms }) => <Ago ms={next_run_at_ms} /> },
  {
    name: 'Last error',
    cell: ({ id, last_error }) =>
      last_error === null ? (
        <span className="dim">–</span>
      ) : (
        <>
          <Link href={`/sources/${id}/logs`} className="clip bad-text" title={last_error.message}>
            {last_error.message}
          </Link>
          <span className="dim small">
            <Ago ms={last_error.at_ms} />
          </span>
        </>
      ),
  },
];

const NewButton = (): ReactNode => <CreateLink href="/sources/new">New source</CreateLink>;

export function Sources(): ReactNode {
  const [search] = useSearchParams();
  const q = useSearchText();
  const list = useRecordSearch('sources', { q, refetchMs });
  // Links from elsewhere use the address /sources?action=create with a key or a URL.
  if (search.get('action') === 'create') return <Redirect to={`/sources/new?${search.toString()}`} replace />;
  return (
    <Page title="Sources" lead="Components that run here and emit events." actions={<NewButton />}>
      <Card flush actions={<SearchField label="Find a source" placeholder="Find by name or id" />}>
        <ListTable
          label="Sources"
          list={list}
          columns={columns}
          empty={q === undefined ? <NoSources /> : <NoneFound />}
        />
      </Card>
    </Page>
  );
}

const NoSources = (): ReactNode => (
  <Empty icon="source" title="No sources yet" action={<NewButton />}>
    A source is a small JavaScript component that turns requests, timers or other services into events. Write one here;
    it runs as soon as you deploy it.
  </Empty>
);

const NoneFound = (): ReactNode => (
  <Empty icon="search" title="Nothing found">
    None of the newest 2,000 sources has this in its name or id, and none is called exactly that.
  </Empty>
);
