// Deletes all events of a source up to now.
import type { ReactNode } from 'react';
import { remove } from '../../../api/http.ts';
import { useChange } from '../../../api/record.ts';
import type { Source } from '../../../api/records.ts';
import { ConfirmedButton } from '../../../parts/confirm.tsx';
import { isolateBidi } from '../../../parts/format.ts';

interface DeleteEventsProps {
  readonly source: Source;
  readonly onDelete: () => void;
}

export function DeleteEvents({ source, onDelete }: DeleteEventsProps): ReactNode {
  const deletion = useChange(() => remove(`/v1/sources/${source.id}/events`), {
    doneMessage: 'The events are being deleted.',
    onDone: onDelete,
    quiet: true,
  });
  return (
    <ConfirmedButton
      label="Delete all"
      buttonProps={{ variant: 'default', size: 'xs' }}
      change={deletion}
      title={`Delete all events of ${isolateBidi(source.name ?? source.id)}?`}
      verb="Delete all events"
    >
      Every event until now leaves the lists, and is not sent where it has not been delivered yet. Later events stay.
      This cannot be undone.
    </ConfirmedButton>
  );
}
