// Makes the end of asking a component which events of its app it takes.
import type { RunEnd } from '../../../domain/run/run-output.ts';
import { readEventNames } from '../../../domain/component/props/apphook/apphook.ts';
import type { InvocationOutcome } from '../../../sandbox/sandbox.ts';
import { ended, measured } from './finished.ts';
import type { Begun, Finished } from './finished.ts';

/** The end with the event names. The sandbox returns these as an emit, which becomes no event. */
export function named(begun: Begun, outcome: InvocationOutcome): Finished {
  const { sourceId, revision } = begun.trigger.data;
  const { durationMs, cpuMs, console, dbWrites } = outcome;
  const read = readEventNames(outcome.emits[0]?.event ?? null);
  const problem = 'problem' in read ? { name: 'TypeError', message: `eventNames ${read.problem}` } : undefined;
  const error = outcome.end === 'finished' ? problem : (outcome.error ?? { name: 'Error', message: outcome.end });
  const { startedAt } = begun;
  const shown = { console, ...(outcome.requests === undefined ? {} : { requests: outcome.requests }) };
  const end: RunEnd = { ...ended(error), startedAt, durationMs, ...shown, emits: [] };
  const parts = { end, strategy: undefined, dbWrites, used: { durationMs, cpuMs }, isWarm: false };
  if (error !== undefined || !('names' in read)) return measured(begun, parts, 0);
  const data = { sourceId, revision, kind: 'event_names', console, eventNames: read.names } as const;
  const hook = { type: 'HookSucceeded', data } as const;
  return measured(begun, { ...parts, hook }, Buffer.byteLength(JSON.stringify(read.names)));
}
