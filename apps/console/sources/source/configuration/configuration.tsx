// The configuration of a source: its props, its code, its limits. Untouched values are not sent, secrets included.
import type { ReactNode } from 'react';
import { Button, NumberInput, TextInput } from '@mantine/core';
import { put } from '../../../api/http.ts';
import { problemOf } from '../../../api/problem.ts';
import { useChange } from '../../../api/record.ts';
import type { Source } from '../../../api/records.ts';
import { useEdits } from '../../../parts/hooks/edits.ts';
import { useUnsaved } from '../../../parts/hooks/unsaved.ts';
import { Card } from '../../../parts/page.tsx';
import { EmitOnDeploy } from '../../emit-on-deploy.tsx';
import { endpointOf } from '../endpoint.tsx';
import { SourceCode } from './source-code.tsx';
import { SourceProps } from './source-props.tsx';

export function Configuration({ source }: { readonly source: Source }): ReactNode {
  return (
    <>
      <Settings source={source} />
      {/* New code starts a new form, because its props can differ. */}
      {source.kind === 'channel' ? null : <SourceProps key={source.code_hash} source={source} />}
      {source.kind === 'channel' ? null : <SourceCode source={source} />}
    </>
  );
}

interface Values {
  readonly name: string;
  readonly timeout_ms: string;
  readonly memory_mb: string;
  readonly concurrency: string;
  /** Empty: no limit. */
  readonly rate_limit: string;
  readonly emit_on_deploy: boolean;
}

const valuesOf = ({ name, timeout_ms, memory_mb, concurrency, rate_limit, emit_on_deploy }: Source): Values => ({
  name: name ?? '',
  timeout_ms: String(timeout_ms),
  memory_mb: String(memory_mb),
  concurrency: String(concurrency),
  rate_limit: rate_limit === null ? '' : String(rate_limit),
  emit_on_deploy,
});

/** A blank name keeps the name. An empty rate limit is sent as 0, which means no limit. */
function changesOf(
  stored: Values,
  { name, emit_on_deploy, ...limits }: Values,
): Readonly<Record<string, string | number | boolean>> {
  const changed = Object.entries(limits).filter(([limit, value]) => value !== stored[limit as keyof Values]);
  const numbers = changed.map(([limit, value]) => [limit, Number(value)] as const);
  const isRenamed = name.trim() !== '' && name !== stored.name;
  const emits = emit_on_deploy === stored.emit_on_deploy ? {} : { emit_on_deploy };
  return { ...Object.fromEntries(numbers), ...emits, ...(isRenamed ? { name } : {}) };
}

function Settings({ source }: { readonly source: Source }): ReactNode {
  const stored = valuesOf(source);
  const { values, isChanged, change } = useEdits(stored);
  const changes = changesOf(stored, values);
  const save = useChange(() => put(`/v1/sources/${source.id}`, changes), {
    doneMessage: 'The settings are saved.',
    quiet: true,
  });
  const canSave = Object.keys(changes).length > 0;
  useUnsaved(isChanged && !save.isPending);
  const problems = save.isError ? problemOf(save.error).fields : {};
  const otherProblem = save.isError && Object.keys(problems).length === 0 ? problemOf(save.error).message : undefined;
  const limit = (
    name: Exclude<keyof Values, 'name' | 'emit_on_deploy'>,
    label: string,
    placeholder?: string,
  ): ReactNode => (
    <NumberInput
      label={label}
      placeholder={placeholder ?? ''}
      value={values[name]}
      error={problems[name]}
      onChange={(value) => change({ [name]: String(value) })}
    />
  );
  return (
    <Card title="Settings">
      <form
        className="form"
        onSubmit={(event) => {
          event.preventDefault();
          if (canSave) save.mutate();
        }}
      >
        <TextInput
          label="Name"
          value={values.name}
          error={problems['name'] ?? otherProblem}
          onChange={({ currentTarget: { value } }) => change({ name: value })}
        />
        {source.kind === 'channel' ? null : (
          <div className="fields">
            {limit('timeout_ms', 'Time of a run, ms')}
            {limit('memory_mb', 'Memory, MiB')}
            {limit('concurrency', 'Runs at once')}
            {endpointOf(source) === undefined ? null : limit('rate_limit', 'Requests a second', 'Any')}
          </div>
        )}
        {source.kind === 'channel' ? null : (
          <EmitOnDeploy checked={values.emit_on_deploy} onChange={(emits) => change({ emit_on_deploy: emits })} />
        )}
        <div>
          <Button type="submit" disabled={!canSave} loading={save.isPending}>
            Save settings
          </Button>
        </div>
      </form>
    </Card>
  );
}
