// Turns a run's outcome into records: its events, its run record, and the source's dedupe memory.
import type { DedupeStrategy } from '../component/manifest.ts';
import type { HookEvent, Trigger, CodeFetched } from '../source/messages.ts';
import type { ComponentError, ComponentRequests, ConsoleLine } from '../component/output.ts';
import { derivedId, derivedIds } from '../id.ts';
import type { Decided, LogRecord, Millis } from '../message.ts';
import { versionOf } from '../record/record-version.ts';
import { dedupe, unusableText } from './dedupe.ts';
import { orderEmits } from './run-emits.ts';
import type { EmitCall } from '../component/emit-call.ts';
import type { PendingEvent } from '../pending/messages.ts';
import { delayedRecords, emitOf, isDelayed, noPendingCapacity, tooManyPendingText } from '../pending/pending.ts';
import type { PendingCapacity } from '../pending/pending.ts';
import { initialEventClock, stampEvents } from '../channel/event-id.ts';
import type { EventClock, EventStamps } from '../channel/event-id.ts';
import type { DedupeMemory, EmittedEvent, RunEvent, RunOutcome } from '../channel/messages.ts';
import { logsReport } from './logs-report.ts';

/** The state of a source that its next events depend on. */
export interface SourceMemory extends EventClock {
  readonly dedupe: DedupeMemory | null;
}

export const freshMemory: SourceMemory = { ...initialEventClock, dedupe: null };

/** How a run ended; `console` and `error` are masked already. */
export interface RunEnd {
  readonly outcome: RunOutcome;
  readonly startedAt: Millis;
  readonly durationMs: number;
  readonly console: readonly ConsoleLine[];
  readonly error?: ComponentError;
  readonly emits: readonly EmitCall[];
  readonly requests?: ComponentRequests;
  /** The service's reports on channels such as `$errors`. Dedupe drops none of them, and the run record names none. */
  readonly reports?: readonly EmitCall[];
}

/** Makes each event only when it is read: making ten thousand at once would block the process for 50 ms. */
export interface EventList {
  readonly length: number;
  readonly at: (index: number) => EmittedEvent;
}

export interface RunOutput {
  readonly events: EventList;
  /** Emits with a `deliveryTs`. */
  readonly pending: readonly PendingEvent[];
  readonly run: RunEvent;
  readonly memory: SourceMemory;
}

export const runIdOf = ({ id }: Pick<Trigger, 'id'>): string => derivedId('run', id);

export interface OutputOptions {
  readonly strategy: DedupeStrategy | undefined;
  /** The time of the append: events get it unless the source already has a later time. */
  readonly now: Millis;
  /** Absent: no more delayed events can be stored. */
  readonly pendingCapacity?: PendingCapacity;
  /** The console is reported on `$logs`, in an event of at most this many bytes; absent: not reported. */
  readonly logsBytesMax?: number;
}

/**
 * Delayed emits bypass dedupe: a component that receives one later can emit it again with its id (decision 0032). So
 * do samples, which are not remembered and never wait: each becomes an event at once (decision 0036).
 */
export function runOutput(
  trigger: Trigger,
  end: RunEnd,
  before: SourceMemory,
  { strategy, now, pendingCapacity = noPendingCapacity, logsBytesMax }: OutputOptions,
): RunOutput {
  const isSample = trigger.data.kind === 'sample';
  const delayedEmits = isSample ? [] : end.emits.filter(isDelayed);
  const emits = delayedEmits.length === 0 ? end.emits : end.emits.filter((emit) => !isDelayed(emit));
  const deduped = dedupe(isSample ? undefined : strategy, before.dedupe, orderEmits(emits, now));
  const { kept, dropped, memory } = deduped;
  const runId = runIdOf(trigger);
  const stamps = stampEvents(before, now);
  const { reports = [] } = end;
  const calls = [...kept, ...reports];
  const emitted = kept.map((_, index) => stamps.idAt(index));
  const pending =
    delayedEmits.length === 0
      ? []
      : delayedRecords(trigger, delayedEmits, { capacity: pendingCapacity, runId, at: stamps.at });
  const droppedCount = delayedEmits.length - pending.length;
  const texts = [
    ...(deduped.unusable === 0 ? [] : [unusableText(strategy, deduped)]),
    ...(droppedCount === 0 ? [] : [tooManyPendingText(droppedCount, pendingCapacity.waiting + pending.length)]),
  ];
  const notices = texts.map((text) => ({ level: 'warn', text, at: now }) as const);
  const reportedEnd = { ...end, console: [...end.console, ...notices] };
  const run = runRecord(trigger, reportedEnd, { runId, emitted, deduped: dropped, now });
  const logs = logsBytesMax === undefined ? undefined : logsReport(run.data, logsBytesMax);
  if (logs !== undefined) calls.push(logs);
  const events = eventList(trigger, calls, { runId, stamps });
  return { events, pending, run, memory: { ...stamps.clockAfter(calls.length), dedupe: memory } };
}

function eventList(
  trigger: Trigger,
  calls: readonly EmitCall[],
  { runId, stamps }: { readonly runId: string; readonly stamps: EventStamps },
): EventList {
  const recordIdAt = derivedIds('rec', trigger.id, 'event');
  const at = (index: number): EmittedEvent => {
    const emit = calls[index];
    if (emit === undefined) throw new Error(`There is no event ${index} among ${calls.length}`);
    return eventRecord(trigger, emit, {
      recordId: recordIdAt(index),
      runId,
      eventId: stamps.idAt(index),
      at: stamps.at,
    });
  };
  return { length: calls.length, at };
}

interface RecordStamp {
  readonly recordId: string;
  readonly runId: string;
  readonly eventId: string;
  readonly at: Millis;
}

/** Uses one literal per object: a run can emit ten thousand events, and spreads cost several times as much. */
function eventRecord(trigger: Trigger, emit: EmitCall, { recordId, runId, eventId, at }: RecordStamp): EmittedEvent {
  const { sourceId: emitterId, kind, hops } = trigger.data;
  const { id, key, workspace, correlationId } = trigger;
  const { channel, event } = emit;
  const plain = { emitterId, eventId, channel, event, emit: emitOf(emit), runId };
  const isSample = kind === 'sample';
  const data: EmittedEvent['data'] =
    hops === undefined && !isSample
      ? plain
      : { ...plain, ...(hops === undefined ? {} : { hops }), ...(isSample ? { sample: true } : {}) };
  const type = 'EventEmitted';
  const version = isSample ? versionOf({ type, data }) : 1;
  return { id: recordId, version, key, at, workspace, correlationId, causationId: id, type, data };
}

interface RunCounts {
  readonly runId: string;
  readonly emitted: readonly string[];
  readonly deduped: number;
  readonly now: Millis;
}

function runRecord(trigger: Trigger, end: RunEnd, { runId, emitted, deduped, now }: RunCounts): RunEvent {
  const { outcome, startedAt, console, error, requests } = end;
  const { sourceId, kind } = trigger.data;
  const durationMs = roundToTenths(end.durationMs);
  const resultFields = { outcome, startedAt, durationMs, console, ...(error === undefined ? {} : { error }) };
  const type = 'RunFinished';
  const data = {
    runId,
    sourceId,
    kind,
    ...resultFields,
    emitted,
    deduped,
    ...(requests === undefined ? {} : { requests }),
  };
  return { ...recordAfter(trigger, 'run', now), type, version: versionOf({ type, data }), data };
}

/** Rounds to the precision that the API shows: more digits are noise, and were a tenth of a run's document. */
const roundToTenths = (ms: number): number => Math.round(ms * 10) / 10;

/** The record on `hooks` with the outcome of a hook or describe trigger. */
export function hookRecord(
  trigger: Trigger,
  hook: Decided<HookEvent | CodeFetched>,
  now: Millis,
): HookEvent | CodeFetched {
  return { ...recordAfter(trigger, 'hook', now), ...hook, version: versionOf(hook) };
}

/** The envelope of a record that follows from a trigger: the same `part` always yields the same id. */
export const recordAfter = (trigger: Cause, part: string, at: Millis): Envelope =>
  envelopeAfter(trigger, derivedId('rec', trigger.id, part), at);

/** The record that another record follows from; its `key` is the source's id. */
export type Cause = Pick<LogRecord, 'id' | 'key' | 'workspace' | 'correlationId'>;
type Envelope = Omit<LogRecord, 'type' | 'data'>;

function envelopeAfter({ id, key, workspace, correlationId }: Cause, recordId: string, at: Millis): Envelope {
  return { id: recordId, version: 1, key, at, workspace, correlationId, causationId: id };
}
