// Makes the end of a trigger that asked for code at a URL or for components in the registry.
import type { RunEnd } from '../../../domain/run/run-output.ts';
import type { ComponentError } from '../../../domain/component/output.ts';
import type { RegistryComponent } from '../../../domain/component/program/registry-component.ts';
import type { InvocationOutcome } from '../../../sandbox/sandbox.ts';
import { ended, measured, notRun } from '../outcome/finished.ts';
import type { Begun, Finished } from '../outcome/finished.ts';

/** What was found at a URL or in the registry. */
export type Found =
  | { readonly code: string }
  | { readonly components: readonly RegistryComponent[] }
  | { readonly error: ComponentError };

/** The end of such a trigger, with what was found or the error. Of the run that fetched it, only requests are kept. */
export function fetched(
  begun: Begun,
  { durationMs, requests }: Pick<InvocationOutcome, 'durationMs' | 'requests'>,
  result: Found,
): Finished {
  const error = 'error' in result ? result.error : undefined;
  const shown = requests === undefined ? {} : { requests };
  const end: RunEnd = { ...ended(error), startedAt: begun.startedAt, durationMs, console: [], ...shown, emits: [] };
  const parts = { ...notRun, end };
  if ('error' in result) return measured(begun, parts, 0);
  const { sourceId, revision } = begun.trigger.data;
  const hook =
    'code' in result
      ? ({ type: 'CodeFetched', data: { sourceId, revision, code: result.code } } as const)
      : ({ type: 'ComponentsListed', data: { sourceId, revision, components: result.components } } as const);
  return measured(begun, { ...parts, hook }, Buffer.byteLength(JSON.stringify(result)));
}
