// Makes the end of a trigger that asked for code at a URL or for components in the registry.
import type { RunEnd } from '../../../domain/run/run-output.ts';
import type { ComponentError } from '../../../domain/component/output.ts';
import type { RegistryComponent } from '../../../domain/component/program/registry-component.ts';
import type { InvocationOutcome } from '../../../sandbox/sandbox.ts';
import { outcomeOf, resultOf, notRunParts } from '../outcome/trigger-result.ts';
import type { Attempt, TriggerResult } from '../outcome/trigger-result.ts';

/** What was found at a URL or in the registry. */
export type FetchedContent =
  | { readonly code: string }
  | { readonly components: readonly RegistryComponent[] }
  | { readonly error: ComponentError };

/** The end of such a trigger, with what was found or the error. Of the run that fetched it, only requests are kept. */
export function fetchResult(
  attempt: Attempt,
  { durationMs, requests }: Pick<InvocationOutcome, 'durationMs' | 'requests'>,
  content: FetchedContent,
): TriggerResult {
  const error = 'error' in content ? content.error : undefined;
  const requestLog = requests === undefined ? {} : { requests };
  const end: RunEnd = {
    ...outcomeOf(error),
    startedAt: attempt.startedAt,
    durationMs,
    console: [],
    ...requestLog,
    emits: [],
  };
  const parts = { ...notRunParts, end };
  if ('error' in content) return resultOf(attempt, parts, 0);
  const { sourceId, revision } = attempt.trigger.data;
  const hook =
    'code' in content
      ? ({ type: 'CodeFetched', data: { sourceId, revision, code: content.code } } as const)
      : ({ type: 'ComponentsListed', data: { sourceId, revision, components: content.components } } as const);
  return resultOf(attempt, { ...parts, hook }, Buffer.byteLength(JSON.stringify(content)));
}
