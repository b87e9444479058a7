// Runs a source now: with what its interface would give, or with an event that is written here.
import { useState } from 'react';
import type { ReactNode } from 'react';
import { Button, Group, JsonInput, Modal, Stack } from '@mantine/core';
import { post } from '../../api/http.ts';
import { problemOf } from '../../api/problem.ts';
import { useChange } from '../../api/record.ts';
import type { Source } from '../../api/records.ts';
import { useFocusBack } from '../../parts/hooks/focus-back.ts';
import { parsedJson } from '../../parts/json/parsed-json.ts';
import { Refused } from '../../parts/refused.tsx';

const done = 'The run is accepted. Its log appears when it has ended.';
const example = '{\n  "body": {}\n}';

export function RunNow({ source: { id, active } }: { readonly source: Source }): ReactNode {
  const path = `/v1/sources/${id}/run`;
  const [text, setText] = useState<string>();
  const run = useChange(() => post(path), { done });
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
          onClick={() => setText((kept) => kept ?? example)}
        >
          with…
        </Button>
      </Button.Group>
      {text === undefined ? null : (
        <RunWith path={path} text={text} onChange={setText} onClose={() => setText(undefined)} />
      )}
    </>
  );
}

interface RunWithProps {
  readonly path: string;
  readonly text: string;
  readonly onChange: (text: string) => void;
  readonly onClose: () => void;
}

function RunWith({ path, text, onChange, onClose }: RunWithProps): ReactNode {
  const run = useChange((event: unknown) => post(path, { event }), { done, quiet: true, onDone: onClose });
  const event = parsedJson(text);
  useFocusBack();
  return (
    <Modal opened onClose={onClose} title="Run with an event">
      <Stack>
        {run.isError ? <Refused message={problemOf(run.error).message} /> : null}
        <JsonInput
          label="Event"
          description="JSON: what run(event) gets."
          error={event === undefined ? 'This is not JSON.' : null}
          autosize
          minRows={6}
          maxRows={20}
          value={text}
          onChange={onChange}
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button disabled={event === undefined} loading={run.isPending} onClick={() => run.mutate(event?.value)}>
            Run
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
