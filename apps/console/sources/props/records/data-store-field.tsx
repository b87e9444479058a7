// The field of a data store prop: an existing store, or a new one, created without leaving the form.
import type { ReactNode } from 'react';
import { useList } from '../../../api/paging.ts';
import type { StoredData } from '../../../api/records.ts';
import { NewStoreForm } from '../../../stores/new-store-form.tsx';
import { withDistinctLabels } from '../../../parts/search/distinct-labels.ts';
import { RecordField } from './record-field.tsx';
import type { RecordFieldProps } from './record-field.tsx';

/** As many as a workspace can have. */
const storesShown = 100;

export function DataStoreField({ fieldProps, ...field }: RecordFieldProps): ReactNode {
  const list = useList<StoredData>('/v1/data_stores', { query: { limit: storesShown } });
  const choices = withDistinctLabels(list.items.map(({ id, name }) => ({ value: id, label: name })));
  const isEmpty = choices.length === 0 && !list.isLoading && list.error === null;
  return (
    <RecordField
      {...field}
      fieldProps={{
        ...fieldProps,
        description: fieldProps.description ?? 'A data store, which other sources may share.',
      }}
      choices={choices}
      placeholder={isEmpty ? 'No data store yet' : 'Choose a data store'}
      createLabels={{ button: 'New data store', title: 'New data store' }}
      renderForm={(done) => <NewStoreForm onDone={done} />}
    />
  );
}
