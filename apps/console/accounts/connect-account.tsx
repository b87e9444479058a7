// Connects an account of an app: its name and the credentials that components of the app read.
import { useState } from 'react';
import type { ReactNode } from 'react';
import { Autocomplete, Button, TextInput } from '@mantine/core';
import { post } from '../api/http.ts';
import { useList } from '../api/paging.ts';
import { problemOf } from '../api/problem.ts';
import { useChange, useRecord } from '../api/record.ts';
import type { Account, App } from '../api/records.ts';
import { useUnsaved } from '../parts/hooks/unsaved.ts';
import { useDebounced } from '../parts/hooks/debounced.ts';
import { ErrorAlert } from '../parts/error-alert.tsx';
import { credentialsIn, fieldsOf } from './credential-fields.ts';
import type { CredentialField } from './credential-fields.ts';
import { Credentials } from './credentials.tsx';

interface ConnectProps {
  /** The app's slug; undefined: the form asks for it. */
  readonly app?: string;
  readonly onDone: (account: Account) => void;
}

export function ConnectAccount({ app, onDone }: ConnectProps): ReactNode {
  const [typedSlug, setTypedSlug] = useState(app ?? '');
  const [name, setName] = useState('');
  const [edited, setEdited] = useState<{ readonly editedSlug: string; readonly fields: readonly CredentialField[] }>();
  const slug = useDebounced(typedSlug.trim());
  const declaredApp = useRecord<App>(slug === '' ? undefined : `/v1/apps/${encodeURIComponent(slug)}`);
  const isLookingUp = slug !== typedSlug.trim() || (slug !== '' && declaredApp.isPending);
  const fields = edited?.editedSlug === slug ? edited.fields : fieldsOf(declaredApp.data?.custom_fields_json);
  const credentials = credentialsIn(fields);
  const connection = useChange(
    async () => {
      const nameField = name.trim() === '' ? {} : { name: name.trim() };
      return (await post<{ readonly data: Account }>('/v1/accounts', { app: slug, credentials, ...nameField })).data;
    },
    { quiet: true, onDone },
  );
  const isBegun = typedSlug !== (app ?? '') || name.trim() !== '' || edited !== undefined;
  useUnsaved(isBegun && !connection.isPending && connection.data === undefined);
  const submit = (event: React.FormEvent): void => {
    event.preventDefault();
    // This form can be in a dialog of another form.
    event.stopPropagation();
    connection.mutate();
  };
  return (
    <form className="form" onSubmit={submit}>
      {connection.isError ? <ErrorAlert message={problemOf(connection.error).message} /> : null}
      {app === undefined ? <AppField slug={typedSlug} onChange={setTypedSlug} /> : null}
      <TextInput
        label="Name"
        description="To distinguish it from other accounts of this app."
        value={name}
        onChange={({ currentTarget: { value } }) => setName(value)}
      />
      {slug === '' || isLookingUp ? null : (
        <Credentials fields={fields} onChange={(now) => setEdited({ editedSlug: slug, fields: now })} />
      )}
      <div>
        <Button
          type="submit"
          disabled={slug === '' || isLookingUp || credentials === undefined}
          loading={connection.isPending}
        >
          Connect
        </Button>
      </div>
    </form>
  );
}

interface AppFieldProps {
  readonly slug: string;
  readonly onChange: (slug: string) => void;
}

/** Accepts any slug, also that of an unknown app. */
function AppField({ slug, onChange }: AppFieldProps): ReactNode {
  const q = useDebounced(slug.trim());
  const { items } = useList<App>('/v1/apps', { query: { q: q === '' ? undefined : q, limit: 20 } });
  return (
    <Autocomplete
      label="App"
      description="Its slug, as the app props of components name it, such as github."
      required
      data={items.map(({ name_slug }) => name_slug)}
      filter={({ options }) => options}
      value={slug}
      onChange={onChange}
    />
  );
}
