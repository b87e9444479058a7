// A table of subscriptions, with their sources and targets: all, or those of one webhook or source.
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { useNames } from '../api/names.ts';
import { useList } from '../api/paging.ts';
import type { Subscription } from '../api/records.ts';
import { Ago } from '../parts/now.tsx';
import { Empty } from '../parts/states.tsx';
import { ListTable } from '../parts/table.tsx';
import type { Column } from '../parts/table.tsx';
import { Tag } from '../parts/tag.tsx';

const refetchMs = 10_000;

interface TableProps {
  readonly listenerId?: string;
  readonly action?: ReactNode;
}

export function SubscriptionsTable({ listenerId, action }: TableProps): ReactNode {
  const query = { limit: 100, ...(listenerId && { listener_id: listenerId }) };
  const list = useList<Subscription>('/v1/subscriptions', { query, refetchMs });
  const { nameOf } = useNames(list.items.flatMap(({ emitter_id, listener_id }) => [emitter_id, listener_id]));
  const columns: readonly Column<Subscription>[] = [
    {
      name: 'Source',
      cell: ({ id, emitter_id }) => (
        <>
          <Link href={`/subscriptions/${id}`} className="row-link clip">
            {nameOf(emitter_id)}
          </Link>
          <span className="dim mono">{id}</span>
        </>
      ),
    },
    ...(listenerId === undefined
      ? [{ name: 'To', cell: ({ listener_id }: Subscription) => <span className="clip">{nameOf(listener_id)}</span> }]
      : []),
    { name: 'Channel', cell: ({ event_name }) => (event_name === '' ? 'All' : <Tag>{event_name}</Tag>) },
    {
      name: 'Filter',
      cell: ({ filter }) => (filter === null ? <span className="dim">None</span> : <Tag>filtered</Tag>),
    },
    { name: 'Created', cell: ({ created_at }) => <Ago ms={created_at * 1_000} /> },
  ];
  const empty = (
    <Empty icon="subscription" title="No subscriptions yet" action={action}>
      A subscription sends each event of a source to a webhook.
    </Empty>
  );
  return <ListTable label="Subscriptions" list={list} columns={columns} empty={empty} />;
}
