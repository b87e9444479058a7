// How a trigger ended, until it is on the log: limited in size, so that nothing can refuse it later.
import type { FormCallKind } from '../../../domain/call/call.ts';
import { readReturned } from '../../../domain/call/form.ts';
import type { FormAnswer } from '../../../domain/call/form.ts';
import { errorsReport } from '../../../domain/run/failed-run.ts';
import type { Original } from '../../../domain/run/failed-run.ts';
import { runIdOf } from '../../../domain/run/run-output.ts';
import type { RunEnd } from '../../../domain/run/run-output.ts';
import type { BundlePlace } from '../../../domain/component/bundle/messages.ts';
import type { DedupeStrategy, Manifest } from '../../../domain/component/manifest.ts';
import type { HookEvent, HookKind, Trigger, CodeFetched } from '../../../domain/source/messages.ts';
import type { PropProblem } from '../../../domain/component/props/prop-problem.ts';
import type { ComponentError } from '../../../domain/component/output.ts';
import { readEventNames } from '../../../domain/component/props/apphook/apphook.ts';
import type { Decided, Millis } from '../../../domain/message.ts';
import type { RegistryComponent } from '../../../domain/component/program/registry-component.ts';
import { sizes } from '../../../domain/sizes.ts';
import type { DescribeOutcome, InvocationOutcome } from '../../../sandbox/sandbox.ts';
import type { PackedBundle } from '../bundles/packed.ts';
import type { QueuedTrigger } from '../source/queued-trigger.ts';
import { writesBytes } from '../source/source-db.ts';
import { isHook } from '../source/source-state.ts';
import type { DbWrite } from '../source/source-db.ts';

export interface Finished {
  readonly queued: QueuedTrigger;
  readonly trigger: Trigger;
  readonly end: RunEnd;
  readonly hook?: Decided<HookEvent | CodeFetched>;
  /** What a described component was built into, if the log has to hold it. */
  readonly packed?: PackedBundle;
  readonly strategy: DedupeStrategy | undefined;
  readonly dbWrites: readonly DbWrite[];
  /** The time it took; absent when no component ran. */
  readonly used?: { readonly durationMs: Millis; readonly cpuMs: Millis };
  /** It was quick, and its instance is ready for another at once. */
  readonly isWarm: boolean;
  /** What the run was given; present while storing its writes may still fail. */
  readonly original?: () => Original;
  /** Of a call that answers a form. */
  readonly form?: Pick<FormAnswer, 'returned' | 'problems'>;
  /** Offsets of earlier triggers of its lane that had not ended yet. */
  readonly overtaken?: readonly number[];
  /** Upper bound of its records, and of what it adds to the source's state. */
  readonly bytes: number;
  /** What it holds in memory until its records are on the log. */
  readonly heldBytes: number;
}

/** A trigger without its body, which is no longer needed: its output may have to wait for the log. */
export interface Begun {
  readonly queued: QueuedTrigger;
  readonly trigger: Trigger;
  readonly startedAt: Millis;
}

/** Envelopes, ids and punctuation of run record and hook record. */
const recordsOverheadBytes = 4_096;
/** What a report's record holds beside its event, or the whole record if there is no room for the event. */
const reportOverheadBytes = 1_536;
/** The envelope of a part of a bundle, or of its use. */
const partOverheadBytes = 1_024;
/** One event id in a run record. */
const eventIdBytes = 32;
/** After a longer run nothing is sent ahead: the round trip that this saves does not matter there. */
const warmMs = 100;

/** What a run was given, and the rule by which its emits become events. */
export interface Invoked {
  readonly strategy: DedupeStrategy | undefined;
  readonly original: () => Original;
}

export function invoked(begun: Begun, outcome: InvocationOutcome, { strategy, original }: Invoked): Finished {
  const failed = outcome.end === 'finished' ? undefined : (outcome.error ?? { name: 'Error', message: outcome.end });
  const { startedAt } = begun;
  const { durationMs } = outcome;
  const { console, requests } = outcome;
  const shown = { console, ...(requests === undefined ? {} : { requests }) };
  const isRun = begun.queued.lane === 'runs';
  const report =
    isRun && failed !== undefined
      ? (outcome.report ?? errorsReport(original(), { runId: runIdOf(begun.trigger), error: failed }))
      : undefined;
  const reports = report === undefined ? {} : { reports: [report.emit] };
  const end: RunEnd = { ...ended(failed), startedAt, durationMs, ...shown, emits: outcome.emits, ...reports };
  const used = { durationMs, cpuMs: outcome.cpuMs };
  const isWarm = (outcome.end === 'finished' || outcome.end === 'threw') && durationMs <= warmMs;
  const { dbWrites } = outcome;
  const mayFailYet = isRun && failed === undefined && dbWrites.length > 0;
  const parts = { end, strategy, dbWrites, used, isWarm, ...(mayFailYet ? { original } : {}) };
  const reportBytes = (report?.bytes ?? 0) + (report !== undefined || mayFailYet ? reportOverheadBytes : 0);
  return measured(begun, parts, outcome.emitsBytes + reportBytes);
}

/** The end of a call that answers a form: it emits nothing. */
export function answered(begun: Begun, outcome: InvocationOutcome, kind: FormCallKind): Finished {
  const silent = { ...outcome, emits: [], emitsBytes: 0 };
  const end = (how: InvocationOutcome): Finished =>
    invoked(begun, how, { strategy: undefined, original: nothingGiven });
  if (outcome.end !== 'finished') return { ...end(silent), form: {} };
  const returned = readReturned(kind, outcome.emits[0]?.event);
  if (!('kind' in returned)) return { ...end({ ...silent, end: 'threw', error: returned }), form: {} };
  const finished = end(silent);
  return { ...finished, form: { returned }, heldBytes: finished.heldBytes + outcome.emitsBytes };
}

const nothingGiven = (): Original => {
  throw new Error('A call has no report');
};

/** The end of a call with props that are wrong: the component was not asked. */
export function propsRefused(begun: Begun, problems: readonly PropProblem[]): Finished {
  const message = problems
    .map((problem) => problem.message)
    .join(' ')
    .slice(0, problemsCharsMax);
  return { ...refused(begun, message, 'PropsInvalidError'), form: { problems: problems.slice(0, problemsMax) } };
}

/** What an answer tells of wrong props: 20 problems, and as many characters in the message. */
const problemsMax = 20;
const problemsCharsMax = 20_000;

/** The end of a call of a component that cannot be loaded. */
export function failedToDescribe(
  begun: Begun,
  { error, console }: Extract<DescribeOutcome, { kind: 'invalid' }>,
  durationMs: number,
): Finished {
  const end: RunEnd = { ...ended(error), startedAt: begun.startedAt, durationMs, console, emits: [] };
  return { ...measured(begun, { end, strategy: undefined, dbWrites: [], isWarm: false }, 0), form: {} };
}

/** `during`: what failed after it was loaded. */
export function described(
  begun: Begun,
  outcome: DescribeOutcome,
  durationMs: number,
  during?: 'additionalProps',
): Finished {
  const { console } = outcome;
  const { sourceId, revision } = begun.trigger.data;
  const result = outcome.kind === 'described' ? withinSize(outcome.manifest) : outcome;
  const error = result.kind === 'invalid' ? result.error : undefined;
  const end: RunEnd = { ...ended(error), startedAt: begun.startedAt, durationMs, console, emits: [] };
  const parts = { end, strategy: undefined, dbWrites: [], isWarm: false };
  if (result.kind === 'invalid') {
    if (during === undefined) return measured(begun, parts, 0);
    const hook = { sourceId, revision, kind: 'describe', during, error: result.error, console } as const;
    return measured(begun, { ...parts, hook: { type: 'HookFailed', data: hook } }, 0);
  }
  const data = { sourceId, revision, manifest: result.manifest, console };
  return measured(begun, { ...parts, hook: { type: 'SourceDescribed', data } }, result.bytes);
}

/** A described component with what its outcome must name: a bundle that is on the log, or is to be there. */
export function builtInto(
  finished: Finished,
  { stands, packed }: { readonly stands?: BundlePlace; readonly packed?: PackedBundle },
): Finished {
  const { hook } = finished;
  if (hook?.type !== 'SourceDescribed') return finished;
  if (stands !== undefined) return { ...finished, hook: { ...hook, data: { ...hook.data, bundle: stands } } };
  if (packed === undefined) return finished;
  const bytes = packed.texts.reduce((sum, text) => sum + text.length + partOverheadBytes, partOverheadBytes);
  return { ...finished, packed, bytes: finished.bytes + bytes, heldBytes: finished.heldBytes + bytes };
}

/** A described component with the data stores that its props may name. */
export function withDataStores(
  finished: Finished,
  hook: Extract<Finished['hook'], { readonly type: 'SourceDescribed' }>,
  dataStores: readonly string[],
): Finished {
  const bytes = Buffer.byteLength(JSON.stringify(dataStores));
  const sized = { bytes: finished.bytes + bytes, heldBytes: finished.heldBytes + bytes };
  return { ...finished, ...sized, hook: { ...hook, data: { ...hook.data, dataStores } } };
}

/** What was found at a URL or in the registry. */
export type Found =
  | { readonly code: string }
  | { readonly components: readonly RegistryComponent[] }
  | { readonly error: ComponentError };

/** Code that was fetched by its URL, what was found in the registry, or why it was not. Of the fetcher's run only its requests are kept. */
export function fetched(
  begun: Begun,
  { durationMs, requests }: Pick<InvocationOutcome, 'durationMs' | 'requests'>,
  result: Found,
): Finished {
  const error = 'error' in result ? result.error : undefined;
  const shown = requests === undefined ? {} : { requests };
  const end: RunEnd = { ...ended(error), startedAt: begun.startedAt, durationMs, console: [], ...shown, emits: [] };
  const parts = { end, strategy: undefined, dbWrites: [], isWarm: false };
  if ('error' in result) return measured(begun, parts, 0);
  const { sourceId, revision } = begun.trigger.data;
  const hook =
    'code' in result
      ? ({ type: 'CodeFetched', data: { sourceId, revision, code: result.code } } as const)
      : ({ type: 'ComponentsListed', data: { sourceId, revision, components: result.components } } as const);
  return measured(begun, { ...parts, hook }, Buffer.byteLength(JSON.stringify(result)));
}

/** Which of its app's events the component takes. What it gave comes as an emit, which becomes no event. */
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

/** The end of a trigger that never began. */
export function refused(begun: Begun, message: string, name = 'SourceGoneError'): Finished {
  const { startedAt } = begun;
  const error: ComponentError = { name, message };
  const end: RunEnd = { outcome: 'refused', startedAt, durationMs: 0, console: [], error, emits: [] };
  return measured(begun, { end, strategy: undefined, dbWrites: [], isWarm: false }, 0);
}

export const ended = (error: ComponentError | undefined): Pick<RunEnd, 'outcome' | 'error'> =>
  error === undefined ? { outcome: 'succeeded' } : { outcome: 'failed', error };

type Sized =
  | { readonly kind: 'described'; readonly manifest: Manifest; readonly bytes: number }
  | { readonly kind: 'invalid'; readonly error: ComponentError };

function withinSize(manifest: Manifest): Sized {
  const bytes = Buffer.byteLength(JSON.stringify(manifest));
  if (bytes <= sizes.manifestBytes) return { kind: 'described', manifest, bytes };
  const message = `What the component says of itself has ${bytes} bytes as JSON; at most ${sizes.manifestBytes} are taken`;
  return { kind: 'invalid', error: { name: 'ManifestTooLargeError', message } };
}

type Parts = Pick<Finished, 'end' | 'strategy' | 'dbWrites' | 'hook' | 'used' | 'isWarm' | 'original'>;

/** Adds an upper bound of what its records hold. */
export function measured({ queued, trigger }: Begun, parts: Parts, outputBytes: number): Finished {
  const { end, dbWrites } = parts;
  const hook = parts.hook ?? hookOf(trigger, end);
  const textBytes = shownBytes(end) * (hook === undefined ? 1 : 2);
  const ids = end.emits.length * eventIdBytes;
  const bytes = outputBytes + textBytes + ids + writesBytes(dbWrites) + recordsOverheadBytes;
  const heldBytes = bytes + (parts.original === undefined ? 0 : queued.bytes);
  return { queued, trigger, ...parts, ...(hook === undefined ? {} : { hook }), bytes, heldBytes };
}

const shownBytes = ({ console, error, requests }: RunEnd): number =>
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
