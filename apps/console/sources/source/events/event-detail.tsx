// Shows one event: its JSON as a tree, its metadata, and its origin.
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { useEvent } from '../../../api/live/events.ts';
import { remove } from '../../../api/http.ts';
import { useChange } from '../../../api/record.ts';
import type { EventSummary } from '../../../api/records.ts';
import { ConfirmedButton } from '../../../parts/confirm.tsx';
import { CopyButton } from '../../../parts/copy.tsx';
import { formatExactTime } from '../../../parts/format.ts';
import { JsonTree } from '../../../parts/json/json-tree.tsx';
import { Facts } from '../../../parts/page.tsx';
import { Empty, Failed, Loading } from '../../../parts/states.tsx';

interface DetailProps {
  readonly sourceId: string;
  readonly id: string;
  readonly listed: EventSummary | undefined;
  readonly onDelete: () => void;
}

export function EventDetail({ sourceId, id, listed, onDelete }: DetailProps): ReactNode {
  const { event, error } = useEvent(sourceId, id, listed);
  if (error !== null) return <Failed error={error} />;
  if (event === undefined) return <Loading rows={3} />;
  if (event === null)
    return (
      <Empty icon="source" title="This event is gone">
        It was deleted, or is older than events are kept.
      </Empty>
    );
  return <FullEvent sourceId={sourceId} event={event} onDelete={onDelete} />;
}

interface FullEventProps {
  readonly sourceId: string;
  readonly event: EventSummary;
  readonly onDelete: () => void;
}

function FullEvent({ sourceId, event, onDelete }: FullEventProps): ReactNode {
  const { metadata, indexed_at_ms } = event;
  const run = metadata.run_id;
  return (
    <div className="card-body bare">
      <Facts
        facts={{
          Emitted: formatExactTime(indexed_at_ms),
          Id: <span className="mono">{event.id}</span>,
          Channel: metadata.name === '' ? 'default' : metadata.name,
          ...(metadata.id === undefined ? {} : { 'Dedupe id': String(metadata.id) }),
          Run: run === null ? 'Published' : <Link href={`/sources/${sourceId}/logs?run=${run}`}>Its log</Link>,
        }}
      />
      <div className="actions">
        <CopyButton text={() => JSON.stringify(event.event, null, 2)}>Copy JSON</CopyButton>
        <CopyButton text={() => location.href}>Copy link</CopyButton>
        <DeleteEvent sourceId={sourceId} id={event.id} onDelete={onDelete} />
      </div>
      <JsonTree value={event.event} />
    </div>
  );
}

interface DeleteProps {
  readonly sourceId: string;
  readonly id: string;
  readonly onDelete: () => void;
}

function DeleteEvent({ sourceId, id, onDelete }: DeleteProps): ReactNode {
  const range = { start_id: id, end_id: id };
  const deletion = useChange(() => remove(`/v1/sources/${sourceId}/events`, range), {
    doneMessage: 'The event is being deleted: it leaves the list in a moment.',
    onDone: onDelete,
    quiet: true,
  });
  return (
    <ConfirmedButton
      label="Delete"
      buttonProps={{ variant: 'default', size: 'xs' }}
      change={deletion}
      title="Delete this event?"
      verb="Delete event"
    >
      It leaves all lists, and is not sent where it has not been delivered yet. This cannot be undone.
    </ConfirmedButton>
  );
}
