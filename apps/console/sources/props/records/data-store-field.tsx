// A prop that takes a data store: one of the workspace, or a new one, made without leaving the form.
import { useState } from 'react';
import type { ReactNode } from 'react';
import { Button, TextInput } from '@mantine/core';
import { post } from '../../../api/http.ts';
import { useList } from '../../../api/paging.ts';
import { problemOf } from '../../../api/problem.ts';
import { useChange } from '../../../api/record.ts';
import type { StoredData } from '../../../api/records.ts';
import { Refused } from '../../../parts/refused.tsx';
import { RecordField } from './record-field.tsx';
import type { RecordFieldProps } from './record-field.tsx';

/** As many as a workspace may have. */
const storesShown = 100;

export function DataStoreField({ said, ...field }: RecordFieldProps): ReactNode {
  const list = useList<StoredData>('/v1/data_stores', { query: { limit: storesShown } });
  const listed = list.items.map(({ id, name }) => ({ value: id, label: name }));
  return (
    <RecordField
      {...field}
      said={{ ...said, description: said.description ?? 'A data store, which other sources may share.' }}
      listed={listed}
      placeholder={listed.length === 0 && !list.isLoading ? 'No data store yet' : 'Choose a data store'}
      making={{ button: 'New data store', title: 'New data store' }}
      form={(done) => <NewDataStore onDone={done} />}
    />
  );
}

function NewDataStore({ onDone }: { readonly onDone: (store: StoredData) => void }): ReactNode {
  const [name, setName] = useState('');
  const creation = useChange(
    async () => (await post<{ readonly data: StoredData }>('/v1/data_stores', { name: name.trim() })).data,
    { quiet: true, onDone },
  );
  const submit = (event: React.FormEvent): void => {
    event.preventDefault();
    // This form stands in a dialog of another one.
    event.stopPropagation();
    creation.mutate();
  };
  return (
    <form className="form" onSubmit={submit}>
      {creation.isError ? <Refused message={problemOf(creation.error).message} /> : null}
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
