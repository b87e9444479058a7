// The page of all webhooks: where each sends events to, and whether it does.
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { Webhook } from '../api/records.ts';
import { CreateLink } from '../parts/create/create-link.tsx';
import { Ago } from '../parts/now.tsx';
import { Card, Page } from '../parts/page.tsx';
import { SearchField, useSearchText } from '../parts/search/search-field.tsx';
import { useRecordSearch } from '../parts/search/use-record-search.ts';
import { Empty } from '../parts/states.tsx';
import { ListTable } from '../parts/table.tsx';
import type { Column } from '../parts/table.tsx';
import { StateTag } from '../parts/tag.tsx';
import { orderOf, stateOf } from './webhook-state.ts';

const refetchMs = 5_000;

const columns: readonly Column<Webhook>[] = [
  {
    name: 'Name',
    cell: ({ id, name, url }) => (
      <>
        <Link href={`/webhooks/${id}`} className="row-link clip">
          {name ?? url}
        </Link>
        <span className="dim mono clip" title={url}>
          {url}
        </span>
      </>
    ),
  },
  { name: 'State', cell: (webhook) => <StateTag state={stateOf(webhook)} /> },
  { name: 'Order', cell: (webhook) => orderOf(webhook) },
  { name: 'Signed by', cell: ({ signature }) => signature },
  { name: 'Created', cell: ({ created_at }) => <Ago ms={created_at * 1_000} /> },
];

const NewButton = (): ReactNode => <CreateLink href="/webhooks/new">New webhook</CreateLink>;

export function Webhooks(): ReactNode {
  const q = useSearchText();
  const list = useRecordSearch('webhooks', { q, refetchMs });
  const empty =
    q === undefined ? (
      <Empty icon="webhook" title="No webhooks yet" action={<NewButton />}>
        A webhook is a URL of yours that events are sent to, signed and with retries, once a subscription leads there.
      </Empty>
    ) : (
      <Empty icon="search" title="Nothing found">
        None of the newest 2,000 webhooks has this in its name, id or URL, and none is called exactly that.
      </Empty>
    );
  return (
    <Page title="Webhooks" lead="Where events are sent to." actions={<NewButton />}>
      <Card flush actions={<SearchField label="Find a webhook" placeholder="Find by name or URL" />}>
        <ListTable label="Webhooks" list={list} columns={columns} empty={empty} />
      </Card>
    </Page>
  );
}
