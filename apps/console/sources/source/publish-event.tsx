// Publishes an event on a channel, or the items of a list as one event each, as an application does over the API.
import { useState } from 'react';
import type { ReactNode } from 'react';
import { Button, Checkbox } from '@mantine/core';
import { post } from '../../api/http.ts';
import { useChange } from '../../api/record.ts';
import type { Source } from '../../api/records.ts';
import { parseJson } from '../../parts/json/parse-json.ts';
import { JsonDialog } from './json-dialog.tsx';

const example = '{\n  "hello": "world"\n}';

export function PublishEvent({ source: { id, active } }: { readonly source: Source }): ReactNode {
  const [isOpen, setOpen] = useState(false);
  const [text, setText] = useState(example);
  return (
    <>
      <Button variant="default" disabled={!active} onClick={() => setOpen(true)}>
        Publish an event
      </Button>
      {isOpen ? <Publish id={id} text={text} onChange={setText} onClose={() => setOpen(false)} /> : null}
    </>
  );
}

interface PublishProps {
  readonly id: string;
  readonly text: string;
  readonly onChange: (text: string) => void;
  readonly onClose: () => void;
}

function Publish({ id, ...dialog }: PublishProps): ReactNode {
  const [isSplit, setSplit] = useState(false);
  const value = parseJson(dialog.text)?.value;
  const items: readonly unknown[] | undefined = Array.isArray(value) ? value : undefined;
  const isMany = isSplit && items !== undefined;
  const send = useChange<unknown, unknown>(
    (event) =>
      post(`/v1/sources/${id}/events`, isMany ? { events: items.map((item) => ({ event: item })) } : { event }),
    {
      doneMessage: isMany && items.length !== 1 ? `${items.length} events are published.` : 'The event is published.',
      quiet: true,
      onDone: dialog.onClose,
    },
  );
  return (
    <JsonDialog
      title="Publish an event"
      description="JSON: what is sent to the webhooks that are subscribed."
      verb="Publish"
      send={send}
      {...dialog}
    >
      {items === undefined ? null : (
        <Checkbox
          label="An event for each item of the list"
          description="All of them are published together, or none."
          checked={isSplit}
          onChange={({ currentTarget: { checked } }) => setSplit(checked)}
        />
      )}
    </JsonDialog>
  );
}
