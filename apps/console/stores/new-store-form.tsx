// The form of a new data store: its name.
import { useState } from 'react';
import type { ReactNode } from 'react';
import { Button, TextInput } from '@mantine/core';
import { post } from '../api/http.ts';
import { problemOf } from '../api/problem.ts';
import { useChange } from '../api/record.ts';
import type { StoredData } from '../api/records.ts';
import { ErrorAlert } from '../parts/error-alert.tsx';
import { useUnsaved } from '../parts/hooks/unsaved.ts';

export function NewStoreForm({ onDone }: { readonly onDone: (store: StoredData) => void }): ReactNode {
  const [name, setName] = useState('');
  const creation = useChange(
    async () => (await post<{ readonly data: StoredData }>('/v1/data_stores', { name: name.trim() })).data,
    { quiet: true, onDone },
  );
  useUnsaved(name.trim() !== '' && !creation.isPending && creation.data === undefined);
  const submit = (event: React.FormEvent): void => {
    event.preventDefault();
    // This form can be in a dialog of another form.
    event.stopPropagation();
    creation.mutate();
  };
  return (
    <form className="form" onSubmit={submit}>
      {creation.isError ? <ErrorAlert message={problemOf(creation.error).message} /> : null}
      <TextInput
        label="Name"
        required
        maxLength={255}
        value={name}
        onChange={({ currentTarget: { value } }) => setName(value)}
      />
      <div>
        <Button type="submit" disabled={name.trim() === ''} loading={creation.isPending}>
          Create
        </Button>
      </div>
    </form>
  );
}
