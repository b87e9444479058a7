// The end of a trigger, kept until it is on the log: limited in size, so that nothing can refuse it later.
import type { FormResponse } from '../../../domain/call/form.ts';
import type { OriginalEvent } from '../../../domain/run/errors-report.ts';
import type { RunEnd } from '../../../domain/run/run-output.ts';
import type { DedupeStrategy } from '../../../domain/component/manifest.ts';
import type { HookEvent, HookKind, Trigger, CodeFetched } from '../../../domain/source/messages.ts';
import type { ComponentError } from '../../../domain/component/output.ts';
import type { Decided, Millis } from '../../../domain/message.ts';
import type { PackedBundle } from '../bundles/bundle-packer.ts';
import type { QueuedTrigger } from '../source/queued-trigger.ts';
import { writesBytes } from '../source/source-db.ts';
import type { DbWrite } from '../source/source-db.ts';
import { isHook } from '../source/source-state.ts';

export interface TriggerResult {
  readonly queued: QueuedTrigger;
  readonly trigger: Trigger;
  readonly end: RunEnd;
  readonly hook?: Decided<HookEvent | CodeFetched>;
  /** The bundle of a described component, if it must be appended. */
  readonly packed?: PackedBundle;
  readonly strategy: DedupeStrategy | undefined;
  readonly dbWrites: readonly DbWrite[];
  /** The time that the component took; absent when none ran. */
  readonly used?: { readonly durationMs: Millis; readonly cpuMs: Millis };
  /** The run was quick, and its instance is ready for another at once. */
  readonly isWarm: boolean;
  /** Returns the run's input for a report; present while storing its writes might still fail. */
  readonly original?: () => OriginalEvent;
  /** Only of a call that answers a form. */
  readonly form?: Pick<FormResponse, 'returned' | 'problems'>;
  /** The offsets of earlier triggers of its lane that had not ended yet. */
  readonly overtaken?: readonly number[];
  /** An upper bound of the size of its records and of what it adds to the source's state. */
  readonly bytes: number;
  /** The memory that it takes until its records are on the log. */
  readonly heldBytes: number;
}

/** A trigger that began, without its body, which is no longer needed: its output might have to wait for the log. */
export interface Attempt {
  readonly queued: QueuedTrigger;
  readonly trigger: Trigger;
  readonly startedAt: Millis;
}

/** The envelopes, ids and punctuation of run record and hook record. */
const recordsOverheadBytes = 4_096;
/** The size of one event id in a run record. */
const eventIdBytes = 32;

/** The error name of a trigger whose source was deleted or had its deploy refused. */
export const sourceGoneError = 'SourceGoneError';

/** The end of a trigger that never began. */
export function refusedResult(attempt: Attempt, message: string, name = sourceGoneError): TriggerResult {
  const { startedAt } = attempt;
  const error: ComponentError = { name, message };
  const end: RunEnd = { outcome: 'refused', startedAt, durationMs: 0, console: [], error, emits: [] };
  return resultOf(attempt, { ...notRunParts, end }, 0);
}

export const outcomeOf = (error: ComponentError | undefined): Pick<RunEnd, 'outcome' | 'error'> =>
  error === undefined ? { outcome: 'succeeded' } : { outcome: 'failed', error };

/** The parts of an end that is not the run of a component. */
export const notRunParts = { strategy: undefined, dbWrites: [], isWarm: false } as const;

type Parts = Pick<TriggerResult, 'end' | 'strategy' | 'dbWrites' | 'hook' | 'used' | 'isWarm' | 'original'>;

/** Makes a Finished of its parts, with upper bounds of its sizes. */
export function resultOf({ queued, trigger }: Attempt, parts: Parts, outputBytes: number): TriggerResult {
  const { end, dbWrites } = parts;
  const hook = parts.hook ?? hookOf(trigger, end);
  const textBytes = logBytes(end) * (hook === undefined ? 1 : 2);
  const ids = end.emits.length * eventIdBytes;
  const bytes = outputBytes + textBytes + ids + writesBytes(dbWrites) + recordsOverheadBytes;
  const heldBytes = bytes + (parts.original === undefined ? 0 : queued.bytes);
  return { queued, trigger, ...parts, ...(hook === undefined ? {} : { hook }), bytes, heldBytes };
}

const logBytes = ({ console, error, requests }: RunEnd): number =>
  console.length === 0 && error === undefined && requests === undefined
    ? 0
    : Buffer.byteLength(JSON.stringify([console, error, requests]));

function hookOf(trigger: Trigger, { console, error }: RunEnd): Decided<HookEvent> | undefined {
  const { sourceId, revision, kind } = trigger.data;
  if (!isHook(kind)) return undefined;
  const hook: { sourceId: string; revision: number; kind: HookKind } = { sourceId, revision, kind };
  if (error === undefined) return { type: 'HookSucceeded', data: { ...hook, console } };
  return { type: 'HookFailed', data: { ...hook, error, console } };
}
