// A prop that takes a data store: one of the workspace, or a new one, made without leaving the form.
import { useState } from 'react';
import type { ReactNode } from 'react';
import { Button, Modal, Select, TextInput } from '@mantine/core';
import { post } from '../../api/http.ts';
import { useList } from '../../api/paging.ts';
import { problemOf } from '../../api/problem.ts';
import { useChange } from '../../api/record.ts';
import type { StoredData } from '../../api/records.ts';
import { Refused } from '../../parts/refused.tsx';

/** As many as a workspace may have. */
const storesShown = 100;

interface DataStoreFieldProps {
  readonly said: {
    readonly label: string;
    readonly description: string | undefined;
    readonly required: boolean;
    readonly error: string | undefined;
  };
  /** Id of a data store; empty: none. */
  readonly draft: string;
  readonly onChange: (draft: string) => void;
}

export function DataStoreField({ said, draft, onChange }: DataStoreFieldProps): ReactNode {
  const [making, setMaking] = useState(false);
  const list = useList<StoredData>('/v1/data_stores', { query: { limit: storesShown } });
  const listed = list.items.map(({ id, name }) => ({ value: id, label: name }));
  const isListed = draft === '' || listed.some(({ value }) => value === draft);
  const data = isListed ? listed : [...listed, { value: draft, label: draft }];
  return (
    <div className="record-field">
      <Select
        {...said}
        description={said.description ?? 'A data store, which other sources may share.'}
        placeholder={listed.length === 0 && !list.isLoading ? 'No data store yet' : 'Choose a data store'}
        clearable
        searchable
        clearButtonProps={{ 'aria-label': `No ${said.label}` }}
        data={data}
        value={draft === '' ? null : draft}
        onChange={(value) => onChange(value ?? '')}
      />
      <Button variant="default" size="xs" onClick={() => setMaking(true)}>
        New data store
      </Button>
      <Modal opened={making} onClose={() => setMaking(false)} title="New data store">
        <NewDataStore
          onDone={({ id }) => {
            setMaking(false);
            onChange(id);
          }}
        />
      </Modal>
    </div>
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
