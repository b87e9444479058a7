// The page of one account: its name, a form that replaces its credentials, and the sources that use it.
import { useState } from 'react';
import type { ReactNode } from 'react';
import { Button, TextInput } from '@mantine/core';
import { put } from '../../api/http.ts';
import { problemOf } from '../../api/problem.ts';
import { useChange, useRecord } from '../../api/record.ts';
import type { Account } from '../../api/records.ts';
import { Ago } from '../../parts/now.tsx';
import { Card, Facts, Page } from '../../parts/page.tsx';
import { ErrorAlert } from '../../parts/error-alert.tsx';
import { Failed, Loading } from '../../parts/states.tsx';
import { credentialsIn, fieldsOf } from '../credential-fields.ts';
import { Credentials } from '../credentials.tsx';
import { DeleteAccount } from './delete-account.tsx';
import { SourcesUsing } from './sources-using.tsx';

const parent = { href: '/accounts', name: 'Accounts' };

export function AccountPage({ id }: { readonly id: string }): ReactNode {
  const { data: account, error, refetch } = useRecord<Account>(`/v1/accounts/${encodeURIComponent(id)}`);
  if (account === undefined)
    return (
      <Page title="Account" parent={parent}>
        <Card flush>{error === null ? <Loading /> : <Failed error={error} retry={() => void refetch()} />}</Card>
      </Page>
    );
  const { name, app, created_at, updated_at } = account;
  return (
    <Page
      title={name ?? app.name}
      lead={<span className="mono">{id}</span>}
      parent={parent}
      actions={<DeleteAccount account={account} />}
    >
      <Card>
        <Facts
          facts={{
            App: `${app.name} (${app.name_slug})`,
            Created: <Ago ms={Date.parse(created_at)} />,
            Changed: <Ago ms={Date.parse(updated_at)} />,
          }}
        />
        <Rename account={account} />
      </Card>
      <Card flush title="Sources that use it">
        <SourcesUsing accountId={id} />
      </Card>
      <Card title="New credentials">
        <Rotate account={account} />
      </Card>
    </Page>
  );
}

function Rename({ account }: { readonly account: Account }): ReactNode {
  const [name, setName] = useState(account.name ?? '');
  const save = useChange(() => put(`/v1/accounts/${account.id}`, { name: name.trim() }), {
    doneMessage: 'The name is saved.',
    quiet: true,
  });
  return (
    <form
      className="form"
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate();
      }}
    >
      <TextInput
        label="Name"
        value={name}
        error={save.isError ? problemOf(save.error).message : undefined}
        onChange={({ currentTarget: { value } }) => setName(value)}
      />
      <div>
        <Button type="submit" variant="default" disabled={name.trim() === ''} loading={save.isPending}>
          Save name
        </Button>
      </div>
    </form>
  );
}

/** Replaces all credentials at once, as the service does: a field that is left empty is removed. */
function Rotate({ account: { id, credential_fields } }: { readonly account: Account }): ReactNode {
  const [fields, setFields] = useState(() => fieldsOf(undefined, credential_fields));
  const credentials = credentialsIn(fields);
  const save = useChange(() => put(`/v1/accounts/${id}`, { credentials }), {
    onDone: () => setFields(fieldsOf(undefined, Object.keys(credentials ?? {}))),
    doneMessage: 'The new credentials hold for every run that begins a second from now.',
    quiet: true,
  });
  return (
    <form
      className="form"
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate();
      }}
    >
      <p className="dim small">
        They take the place of all former ones, for every source that uses the account; no source is deployed anew.
      </p>
      {save.isError ? <ErrorAlert message={problemOf(save.error).message} /> : null}
      <Credentials fields={fields} onChange={setFields} />
      <div>
        <Button type="submit" disabled={credentials === undefined} loading={save.isPending}>
          Replace credentials
        </Button>
      </div>
    </form>
  );
}
