// Runs a source now, with the event that its interface would send, or with one that the user writes.
import { useState } from 'react';
import type { ReactNode } from 'react';
import { Button } from '@mantine/core';
import { post } from '../../api/http.ts';
import { useChange } from '../../api/record.ts';
import type { Source } from '../../api/records.ts';
import { JsonDialog } from './json-dialog.tsx';

const doneMessage = 'The run is accepted. Its log appears when it has ended.';
const example = '{\n  "body": {}\n}';

export function RunNow({ source: { id, active } }: { readonly source: Source }): ReactNode {
  const path = `/v1/sources/${id}/run`;
  const [text, setText] = useState<string>();
  const run = useChange(() => post(path), { doneMessage });
  return (
    <>
      <Button.Group>
        <Button variant="default" disabled={!active} loading={run.isPending} onClick={() => run.mutate()}>
          Run now
        </Button>
        <Button
          variant="default"
          aria-label="Run with an event"
          disabled={!active}
          onClick={() => setText((current) => current ?? example)}
        >
          with…
        </Button>
      </Button.Group>
      {text === undefined ? null : (
        <RunWithEvent path={path} text={text} onChange={setText} onClose={() => setText(undefined)} />
      )}
    </>
  );
}

interface RunWithEventProps {
  readonly path: string;
  readonly text: string;
  readonly onChange: (text: string) => void;
  readonly onClose: () => void;
}

function RunWithEvent({ path, ...dialog }: RunWithEventProps): ReactNode {
  const send = useChange<unknown, unknown>((event) => post(path, { event }), {
    doneMessage,
    quiet: true,
    onDone: dialog.onClose,
  });
  return (
    <JsonDialog
      title="Run with an event"
      description="JSON: what run(event) gets."
      verb="Run"
      send={send}
      {...dialog}
    />
  );
}
