// Lists the entries of a data store, in the order in which the keys were first set. The address names the open entry.
import { useMemo } from 'react';
import type { ReactNode } from 'react';
import { Button } from '@mantine/core';
import { Link, useSearchParams } from 'wouter';
import { useList } from '../../api/paging.ts';
import type { StoredEntry } from '../../api/records.ts';
import { oneLine } from '../../parts/format.ts';
import { Ago } from '../../parts/now.tsx';
import { Card } from '../../parts/page.tsx';
import { Empty } from '../../parts/states.tsx';
import { ListTable } from '../../parts/table.tsx';
import type { Column } from '../../parts/table.tsx';
import { EntryDialog, NewEntryDialog } from './entry-dialog.tsx';
import { FindKey } from './find-key.tsx';

interface Row extends StoredEntry {
  readonly id: string;
}

/** Large enough that a full store fits into the greatest number of pages of a list. */
const pageSize = 250;

const columnsOf = (storeId: string): readonly Column<Row>[] => [
  {
    name: 'Key',
    cell: ({ key }) => (
      <Link href={`/data-stores/${storeId}?${new URLSearchParams({ key })}`} className="row-link clip mono">
        {key}
      </Link>
    ),
  },
  { name: 'Value', cell: ({ value }) => <span className="clip mono">{oneLine(JSON.stringify(value))}</span> },
  { name: 'Expires', cell: ({ expires_at }) => (expires_at === null ? 'never' : <Ago ms={expires_at} />) },
];

export function Entries({ storeId }: { readonly storeId: string }): ReactNode {
  const path = `/v1/data_stores/${encodeURIComponent(storeId)}`;
  const [search, setSearch] = useSearchParams();
  const columns = useMemo(() => columnsOf(storeId), [storeId]);
  const list = useList<StoredEntry>(`${path}/records`, { query: { limit: pageSize }, endsByBytes: true });
  const items = list.items.map((entry) => ({ ...entry, id: entry.key }));
  const close = (): void => setSearch({});
  const key = search.get('key');
  const empty = (
    <Empty icon="store" title="Nothing in it yet">
      What a source sets is shown here, with its key.
    </Empty>
  );
  return (
    <Card
      flush
      title="Entries"
      actions={
        <div className="actions">
          <FindKey onFind={(wanted) => setSearch({ key: wanted })} />
          <Button size="xs" variant="default" onClick={() => setSearch({ new: '1' })}>
            Set a key
          </Button>
        </div>
      }
    >
      <ListTable label="Entries" list={{ ...list, items }} columns={columns} empty={empty} />
      {key === null ? null : <EntryDialog key={key} path={`${path}/record`} entryKey={key} onClose={close} />}
      {search.has('new') ? <NewEntryDialog path={`${path}/record`} onClose={close} /> : null}
    </Card>
  );
}
