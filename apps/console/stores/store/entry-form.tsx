// The form of an entry of a data store: its key, its value, and how long it is kept.
import { useState } from 'react';
import type { ReactNode } from 'react';
import { Button, JsonInput, NumberInput, TextInput } from '@mantine/core';
import { serviceNowMs } from '../../api/clock/service-clock.ts';
import { put } from '../../api/http.ts';
import { problemOf } from '../../api/problem.ts';
import { useChange } from '../../api/record.ts';
import type { StoredEntry } from '../../api/records.ts';
import { parseJson } from '../../parts/json/parse-json.ts';
import { ErrorAlert } from '../../parts/error-alert.tsx';

const example = '{}';

interface EntryFormProps {
  /** The API path of the store's records, without a key. */
  readonly path: string;
  /** The existing entry; absent: the form asks for the key too. */
  readonly entry?: StoredEntry;
  readonly onDone: () => void;
}

/** The time left of a key that expires; empty: it does not. Without it, a changed value would never expire. */
function remainingSeconds(entry: StoredEntry | undefined): number | string {
  const at = entry?.expires_at ?? null;
  return at === null ? '' : Math.max(1, Math.ceil((at - serviceNowMs()) / 1_000));
}

export function EntryForm({ path, entry, onDone }: EntryFormProps): ReactNode {
  const [key, setKey] = useState(entry?.key ?? '');
  const [text, setText] = useState(entry === undefined ? example : JSON.stringify(entry.value, null, 2));
  const [ttl, setTtl] = useState<number | string>(() => remainingSeconds(entry));
  const parsed = parseJson(text);
  const request = { key, value: parsed?.value, ...(ttl === '' ? {} : { ttl: Number(ttl) }) };
  const save = useChange(() => put(path, request), { doneMessage: 'The key is set.', quiet: true, onDone });
  return (
    <form
      className="form"
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate();
      }}
    >
      {save.isError ? <ErrorAlert message={problemOf(save.error).message} /> : null}
      {entry === undefined ? (
        <TextInput label="Key" required value={key} onChange={({ currentTarget: { value } }) => setKey(value)} />
      ) : null}
      <JsonInput
        label="Value"
        description="JSON, 256 KiB at most."
        error={parsed === undefined ? 'This is not JSON.' : null}
        autosize
        minRows={6}
        maxRows={20}
        value={text}
        onChange={setText}
      />
      <NumberInput
        label="Expires after"
        description="Seconds; empty: it does not expire."
        min={1}
        allowDecimal={false}
        value={ttl}
        onChange={setTtl}
      />
      <div>
        <Button type="submit" disabled={key === '' || parsed === undefined} loading={save.isPending}>
          Set
        </Button>
      </div>
    </form>
  );
}
