// Deletes all events of a source up to now.
import { useState } from 'react';
import type { ReactNode } from 'react';
import { Button } from '@mantine/core';
import { remove } from '../../../api/http.ts';
import { useChange } from '../../../api/record.ts';
import type { Source } from '../../../api/records.ts';
import { Confirm } from '../../../parts/confirm.tsx';

interface DeleteEventsProps {
  readonly source: Source;
  readonly onDelete: () => void;
}

export function DeleteEvents({ source, onDelete }: DeleteEventsProps): ReactNode {
  const [opened, setOpened] = useState(false);
  const deletion = useChange(() => remove(`/v1/sources/${source.id}/events`), {
    done: 'The events are being deleted.',
    onDone: () => {
      setOpened(false);
      onDelete();
    },
    quiet: true,
  });
  return (
    <>
      <Button variant="default" size="xs" onClick={() => setOpened(true)}>
        Delete all
      </Button>
      <Confirm
        opened={opened}
        title={`Delete all events of ${source.name ?? source.id}?`}
        verb="Delete all events"
        isPending={deletion.isPending}
        error={deletion.error}
        onConfirm={() => deletion.mutate()}
        onClose={() => setOpened(false)}
      >
        Every event until now leaves the lists, and is not sent where it has not been delivered yet. Later events stay.
        This cannot be undone.
      </Confirm>
    </>
  );
}
