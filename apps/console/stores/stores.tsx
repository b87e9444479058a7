// The page of the workspace's data stores, and how much each holds.
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { useList } from '../api/paging.ts';
import type { StoredData } from '../api/records.ts';
import { CreateLink } from '../parts/create/create-link.tsx';
import { formatBytes, formatCount } from '../parts/format.ts';
import { Ago } from '../parts/now.tsx';
import { Card, Page } from '../parts/page.tsx';
import { Empty } from '../parts/states.tsx';
import { ListTable } from '../parts/table.tsx';
import type { Column } from '../parts/table.tsx';

const columns: readonly Column<StoredData>[] = [
  {
    name: 'Name',
    cell: ({ id, name }) => (
      <>
        <Link href={`/data-stores/${id}`} className="row-link clip">
          {name}
        </Link>
        <span className="dim mono">{id}</span>
      </>
    ),
  },
  { name: 'Keys', number: true, cell: ({ keys }) => formatCount(keys) },
  { name: 'Size', number: true, cell: ({ bytes: size }) => formatBytes(size) },
  { name: 'Created', cell: ({ created_at }) => <Ago ms={created_at * 1_000} /> },
];

const NewButton = (): ReactNode => <CreateLink href="/data-stores/new">New data store</CreateLink>;

export function Stores(): ReactNode {
  const list = useList<StoredData>('/v1/data_stores');
  const empty = (
    <Empty icon="store" title="No data stores yet" action={<NewButton />}>
      A data store keeps values by key, for all sources that are given it.
    </Empty>
  );
  return (
    <Page title="Data stores" lead="What sources keep and share." actions={<NewButton />}>
      <Card flush>
        <ListTable label="Data stores" list={list} columns={columns} empty={empty} />
      </Card>
    </Page>
  );
}
