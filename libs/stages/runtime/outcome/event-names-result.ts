// Makes the end of asking a component which events of its app it takes.
import type { RunEnd } from '../../../domain/run/run-output.ts';
import { readEventNames } from '../../../domain/component/props/apphook/apphook.ts';
import type { InvocationOutcome } from '../../../sandbox/sandbox.ts';
import { outcomeOf, resultOf } from './trigger-result.ts';
import type { Attempt, TriggerResult } from './trigger-result.ts';

/** The end with the event names. The sandbox returns these as an emit, which becomes no event. */
export function eventNamesResult(attempt: Attempt, outcome: InvocationOutcome): TriggerResult {
  const { sourceId, revision } = attempt.trigger.data;
  const { durationMs, cpuMs, console, dbWrites } = outcome;
  const read = readEventNames(outcome.emits[0]?.event ?? null);
  const problem = 'problem' in read ? { name: 'TypeError', message: `eventNames ${read.problem}` } : undefined;
  const error = outcome.end === 'finished' ? problem : (outcome.error ?? { name: 'Error', message: outcome.end });
  const { startedAt } = attempt;
  const logs = { console, ...(outcome.requests === undefined ? {} : { requests: outcome.requests }) };
  const end: RunEnd = { ...outcomeOf(error), startedAt, durationMs, ...logs, emits: [] };
  const parts = { end, strategy: undefined, dbWrites, used: { durationMs, cpuMs }, isWarm: false };
  if (error !== undefined || !('names' in read)) return resultOf(attempt, parts, 0);
  const data = { sourceId, revision, kind: 'event_names', console, eventNames: read.names } as const;
  const hook = { type: 'HookSucceeded', data } as const;
  return resultOf(attempt, { ...parts, hook }, Buffer.byteLength(JSON.stringify(read.names)));
}
