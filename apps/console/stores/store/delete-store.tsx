// Deletes a data store with all that is in it.
import { useState } from 'react';
import type { ReactNode } from 'react';
import { Button } from '@mantine/core';
import { useLocation } from 'wouter';
import { remove } from '../../api/http.ts';
import { useChange } from '../../api/record.ts';
import type { StoredData } from '../../api/records.ts';
import { Confirm } from '../../parts/confirm.tsx';
import { counted } from '../../parts/format.ts';

export function DeleteStore({ store: { id, name, keys } }: { readonly store: StoredData }): ReactNode {
  const [, go] = useLocation();
  const [opened, setOpened] = useState(false);
  const deletion = useChange(() => remove(`/v1/data_stores/${id}`), {
    done: 'The data store is deleted.',
    onDone: () => go('/data-stores'),
    quiet: true,
  });
  return (
    <>
      <Button variant="subtle" color="red" onClick={() => setOpened(true)}>
        Delete
      </Button>
      <Confirm
        opened={opened}
        title={`Delete ${name}?`}
        verb="Delete data store"
        isPending={deletion.isPending}
        error={deletion.error}
        onConfirm={() => deletion.mutate()}
        onClose={() => {
          setOpened(false);
          deletion.reset();
        }}
      >
        {counted(keys, 'key')} will be gone for good. Sources that use it keep running, but whatever they ask of it
        fails.
      </Confirm>
    </>
  );
}
