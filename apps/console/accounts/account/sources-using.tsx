// The sources whose props name an account.
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { useList } from '../../api/paging.ts';
import type { Source } from '../../api/records.ts';
import { Ago } from '../../parts/now.tsx';
import { ListTable } from '../../parts/table.tsx';
import type { Column } from '../../parts/table.tsx';
import { StateTag } from '../../parts/tag.tsx';

const columns: readonly Column<Source>[] = [
  {
    name: 'Name',
    cell: ({ id, name }) => (
      <Link href={`/sources/${id}`} className="row-link clip">
        {name ?? id}
      </Link>
    ),
  },
  { name: 'State', cell: ({ state }) => <StateTag state={state} /> },
  { name: 'Last run', cell: ({ last_run_at_ms }) => <Ago ms={last_run_at_ms} /> },
];

const isUsing = ({ configured_props }: Source, accountId: string): boolean =>
  Object.values(configured_props).some(
    (value) =>
      typeof value === 'object' && value !== null && 'authProvisionId' in value && value.authProvisionId === accountId,
  );

/** They are searched page by page: with many sources, a button loads more. */
export function SourcesUsing({ accountId }: { readonly accountId: string }): ReactNode {
  const list = useList<Source>('/v1/sources', { query: { limit: 100 } });
  const items = list.items.filter((source) => isUsing(source, accountId));
  const empty = (
    <p className="state dim small">
      {list.hasMore ? 'None of the newest sources uses it; a delete asks about the others.' : 'No source uses it.'}
    </p>
  );
  return (
    <ListTable
      label="Sources that use it"
      list={{ ...list, items, total: list.hasMore ? undefined : items.length }}
      columns={columns}
      empty={empty}
    />
  );
}
