// How a source is configured: its props, its code, its limits. What is not touched is not sent, secrets least of all.
import { useState } from 'react';
import type { ReactNode } from 'react';
import { Button, NumberInput, TextInput } from '@mantine/core';
import { put } from '../../../api/http.ts';
import { problemOf } from '../../../api/problem.ts';
import { useChange } from '../../../api/record.ts';
import type { Source } from '../../../api/records.ts';
import { Card } from '../../../parts/page.tsx';
import { SourceCode } from './source-code.tsx';
import { SourceProps } from './source-props.tsx';

export function Configuration({ source }: { readonly source: Source }): ReactNode {
  return (
    <>
      <Settings source={source} />
      {source.kind === 'channel' ? null : <SourceProps source={source} />}
      {source.kind === 'channel' ? null : <SourceCode source={source} />}
    </>
  );
}

function Settings({ source }: { readonly source: Source }): ReactNode {
  const [name, setName] = useState(source.name ?? '');
  const [timeoutMs, setTimeoutMs] = useState<string | number>(source.timeout_ms);
  const [memoryMb, setMemoryMb] = useState<string | number>(source.memory_mb);
  const [concurrency, setConcurrency] = useState<string | number>(source.concurrency);
  const isChannel = source.kind === 'channel';
  const save = useChange(
    () => {
      const limits = { timeout_ms: Number(timeoutMs), memory_mb: Number(memoryMb), concurrency: Number(concurrency) };
      return put(`/v1/sources/${source.id}`, { ...(isChannel ? {} : limits), ...(name === '' ? {} : { name }) });
    },
    { done: 'The settings are saved.', quiet: true },
  );
  const problems = save.isError ? problemOf(save.error).fields : {};
  const unnamed = save.isError && Object.keys(problems).length === 0 ? problemOf(save.error).message : undefined;
  return (
    <Card title="Settings">
      <div className="form">
        <TextInput
          label="Name"
          value={name}
          error={problems['name'] ?? unnamed}
          onChange={({ currentTarget: { value } }) => setName(value)}
        />
        {isChannel ? null : (
          <div className="fields">
            <NumberInput
              label="Time of a run, ms"
              value={timeoutMs}
              error={problems['timeout_ms']}
              onChange={setTimeoutMs}
            />
            <NumberInput label="Memory, MiB" value={memoryMb} error={problems['memory_mb']} onChange={setMemoryMb} />
            <NumberInput
              label="Runs at once"
              value={concurrency}
              error={problems['concurrency']}
              onChange={setConcurrency}
            />
          </div>
        )}
        <div>
          <Button loading={save.isPending} onClick={() => save.mutate()}>
            Save settings
          </Button>
        </div>
      </div>
    </Card>
  );
}
