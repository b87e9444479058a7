// Deletes a data store with all its entries.
import type { ReactNode } from 'react';
import { useLocation } from 'wouter';
import { remove } from '../../api/http.ts';
import { useChange } from '../../api/record.ts';
import type { StoredData } from '../../api/records.ts';
import { ConfirmedButton, deleteButtonProps } from '../../parts/confirm.tsx';
import { pluralize, isolateBidi } from '../../parts/format.ts';

export function DeleteStore({ store: { id, name, keys } }: { readonly store: StoredData }): ReactNode {
  const [, go] = useLocation();
  const deletion = useChange(() => remove(`/v1/data_stores/${id}`), {
    doneMessage: 'The data store is deleted.',
    onDone: () => go('/data-stores'),
    quiet: true,
  });
  return (
    <ConfirmedButton
      label="Delete"
      buttonProps={deleteButtonProps}
      change={deletion}
      title={`Delete ${isolateBidi(name)}?`}
      verb="Delete data store"
    >
      {pluralize(keys, 'key')} will be gone for good. Sources that use it keep running, but whatever they ask of it
      fails.
    </ConfirmedButton>
  );
}
