// The accounts of the workspace: for which app, and with which credentials, which are never shown.
import type { ReactNode } from 'react';
import { Button, TextInput } from '@mantine/core';
import { Link, useSearchParams } from 'wouter';
import { useList } from '../api/paging.ts';
import type { Account } from '../api/records.ts';
import { Icon } from '../parts/icons.tsx';
import { Ago } from '../parts/now.tsx';
import { Card, Page } from '../parts/page.tsx';
import { useSettled } from '../parts/hooks/settled.ts';
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

const NewButton = (): ReactNode => (
  <Button component={Link} href="/accounts/new">
    Connect an account
  </Button>
);

export function Accounts(): ReactNode {
  const [search, setSearch] = useSearchParams();
  const text = search.get('q') ?? '';
  const q = useSettled(text.trim());
  const list = useList<Account>('/v1/accounts', { query: { q: q === '' ? undefined : q } });
  const empty =
    q === '' ? (
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
      <Card
        flush
        actions={
          <TextInput
            type="search"
            aria-label="Find an account"
            placeholder="Find by name or app  ( / )"
            leftSection={<Icon name="search" size={16} />}
            value={text}
            onChange={({ currentTarget: { value } }) => setSearch(value === '' ? {} : { q: value }, { replace: true })}
          />
        }
      >
        <ListTable label="Accounts" list={list} columns={columns} empty={empty} />
      </Card>
    </Page>
  );
}
