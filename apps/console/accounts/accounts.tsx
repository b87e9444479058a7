// The accounts of the workspace: the app of each and the names of its credentials, never their values.
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { useList } from '../api/paging.ts';
import type { Account } from '../api/records.ts';
import { CreateLink } from '../parts/create/create-link.tsx';
import { Ago } from '../parts/now.tsx';
import { Card, Page } from '../parts/page.tsx';
import { SearchField, useSearchText } from '../parts/search/search-field.tsx';
import { Empty } from '../parts/states.tsx';
import { ListTable } from '../parts/table.tsx';
import type { Column } from '../parts/table.tsx';

const columns: readonly Column<Account>[] = [
  {
    name: 'Name',
    cell: ({ id, name, app }) => (
      <>
        <Link href={`/accounts/${id}`} className="row-link clip">
          {name ?? app.name}
        </Link>
        <span className="dim mono">{id}</span>
      </>
    ),
  },
  {
    name: 'App',
    cell: ({ app }) => (
      <>
        <span className="clip">{app.name}</span>
        <span className="dim mono">{app.name_slug}</span>
      </>
    ),
  },
  {
    name: 'Credentials',
    cell: ({ credential_fields }) => <span className="clip">{credential_fields.join(', ')}</span>,
  },
  { name: 'Changed', cell: ({ updated_at }) => <Ago ms={Date.parse(updated_at)} /> },
];

const NewButton = (): ReactNode => <CreateLink href="/accounts/new">Connect an account</CreateLink>;

export function Accounts(): ReactNode {
  const q = useSearchText();
  const list = useList<Account>('/v1/accounts', { query: { q } });
  const empty =
    q === undefined ? (
      <Empty icon="account" title="No accounts yet" action={<NewButton />}>
        An account holds the credentials of an app, sealed, for the components that need them.
      </Empty>
    ) : (
      <Empty icon="search" title="Nothing found">
        No account has this in its name, id or app.
      </Empty>
    );
  return (
    <Page title="Accounts" lead="With what components reach other services." actions={<NewButton />}>
      <Card flush actions={<SearchField label="Find an account" placeholder="Find by name or app" />}>
        <ListTable label="Accounts" list={list} columns={columns} empty={empty} />
      </Card>
    </Page>
  );
}
