// How a source is configured: its props, its code, its limits. What is not touched is not sent, secrets least of all.
import { useState } from 'react';
import type { ReactNode } from 'react';
import { Button, NumberInput, TextInput } from '@mantine/core';
import { put } from '../../../api/http.ts';
import { problemOf } from '../../../api/problem.ts';
import { useChange, useRecord } from '../../../api/record.ts';
import type { Component, Source } from '../../../api/records.ts';
import { CodeEditor } from '../../../parts/editor/code-editor.tsx';
import { Card } from '../../../parts/page.tsx';
import { Failed, Loading } from '../../../parts/states.tsx';
import { DeployProblem } from '../../deploy-problem.tsx';
import { SourceProps } from './source-props.tsx';

export function Configuration({ source }: { readonly source: Source }): ReactNode {
  return (
    <>
      <Settings source={source} />
      {source.kind === 'channel' ? null : <SourceProps source={source} />}
      {source.component_id === null ? null : <Code source={source} componentId={source.component_id} />}
    </>
  );
}

interface CodeProps {
  readonly source: Source;
  readonly componentId: string;
}

function Code({ source, componentId }: CodeProps): ReactNode {
  const { data: component, error } = useRecord<Component>(`/v1/components/${componentId}`);
  const [edited, setEdited] = useState<string>();
  const [discards, setDiscards] = useState(0);
  const save = useChange((code: string) => put(`/v1/sources/${source.id}`, { component_code: code }), {
    done: 'The code is deployed.',
    quiet: true,
    onDone: () => setEdited(undefined),
  });
  if (component === undefined)
    return <Card title="Code">{error === null ? <Loading /> : <Failed error={error} />}</Card>;
  const discard = (): void => {
    setEdited(undefined);
    setDiscards(discards + 1);
  };
  const isChanged = edited !== undefined && edited !== component.code;
  const refused = save.isError ? problemOf(save.error) : undefined;
  const line = refused?.details['line'];
  return (
    <Card
      title="Code"
      actions={
        <div className="actions">
          {isChanged ? (
            <Button size="xs" variant="default" onClick={discard}>
              Discard
            </Button>
          ) : null}
          <Button size="xs" disabled={!isChanged} loading={save.isPending} onClick={() => save.mutate(edited ?? '')}>
            Deploy changes
          </Button>
        </div>
      }
    >
      {refused === undefined ? null : <DeployProblem problem={refused} />}
      <CodeEditor
        key={discards}
        label="Code"
        language="javascript"
        initial={component.code}
        onChange={setEdited}
        line={typeof line === 'number' ? line : undefined}
      />
    </Card>
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
