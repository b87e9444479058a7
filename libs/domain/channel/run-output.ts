// Turns a run's outcome into records: its events, its run record, and what the source remembers.
import type { DedupeStrategy } from '../component/manifest.ts';
import type { ComponentError, ComponentRequests, ConsoleLine, HookEvent, Trigger } from '../component/messages.ts';
import type { CodeFetched } from '../saved/messages.ts';
import { derivedId, derivedIds } from '../id.ts';
import type { Decided, LogRecord, Millis } from '../message.ts';
import { versionOf } from '../shape/version.ts';
import { dedupe, unusableText } from './dedupe.ts';
import { orderEmits } from './emit.ts';
import type { EmitCall } from '../emit/call.ts';
import type { PendingEvent } from '../emit/messages.ts';
import { delayed, emitOf, isDelayed, noPlaces, tooManyText } from '../emit/pending.ts';
import type { PendingPlaces } from '../emit/pending.ts';
import { firstEvent, stampEvent } from './event-id.ts';
import type { EventClock } from './event-id.ts';
import type { DedupeMemory, EmittedEvent, RunEvent, RunOutcome } from './messages.ts';
import { logsReport } from './service/printed-run.ts';

/** What a source remembers of its events. */
export interface EmitterMemory extends EventClock {
  readonly dedupe: DedupeMemory | null;
}

export const freshMemory: EmitterMemory = { ...firstEvent, dedupe: null };

/** How a run ended; `console` and `error` are masked already. */
export interface RunEnd {
  readonly outcome: RunOutcome;
  readonly startedAt: Millis;
  readonly durationMs: number;
  readonly console: readonly ConsoleLine[];
  readonly error?: ComponentError;
  readonly emits: readonly EmitCall[];
  readonly requests?: ComponentRequests;
  /** The service's reports on its own channels. Dedupe drops none of them, and the run record names none. */
  readonly reports?: readonly EmitCall[];
}

export interface RunOutput {
  readonly events: readonly EmittedEvent[];
  /** Emits with a `deliveryTs`. */
  readonly pending: readonly PendingEvent[];
  readonly run: RunEvent;
  readonly memory: EmitterMemory;
}

export const runIdOf = ({ id }: Pick<Trigger, 'id'>): string => derivedId('run', id);

export interface OutputOptions {
  readonly strategy: DedupeStrategy | undefined;
  /** The time of the append: events get it unless the source already has a later time. */
  readonly now: Millis;
  /** Absent: no more delayed events may be stored. */
  readonly places?: PendingPlaces;
  /** The console is reported on `$logs`, in an event of at most this many bytes; absent: not reported. */
  readonly logsBytesMax?: number;
}

/**
 * Delayed emits bypass dedupe: whoever receives one later may emit it again under its id (decision 0032). So do
 * samples, which are not remembered and never wait: each becomes an event at once (decision 0036).
 */
export function runOutput(
  trigger: Trigger,
  end: RunEnd,
  before: EmitterMemory,
  { strategy, now, places = noPlaces, logsBytesMax }: OutputOptions,
): RunOutput {
  const isSample = trigger.data.kind === 'sample';
  const later = isSample ? [] : end.emits.filter(isDelayed);
  const emits = later.length === 0 ? end.emits : end.emits.filter((emit) => !isDelayed(emit));
  const deduped = dedupe(isSample ? undefined : strategy, before.dedupe, orderEmits(emits, now));
  const { kept, dropped, memory } = deduped;
  const runId = runIdOf(trigger);
  let clock: EventClock = { nextSeq: before.nextSeq, lastEventMs: before.lastEventMs };
  const recordIdAt = derivedIds('rec', trigger.id, 'event');
  const { reports = [] } = end;
  const eventOf = (emit: EmitCall, index: number): EmittedEvent => {
    const { eventId, at, clock: next } = stampEvent(clock, now);
    clock = next;
    return eventRecord(trigger, emit, { recordId: recordIdAt(index), runId, eventId, at });
  };
  const events = [...kept, ...reports].map(eventOf);
  const emitted = events.slice(0, kept.length).map((event) => event.data.eventId);
  const { lastEventMs } = clock;
  const pending = later.length === 0 ? [] : delayed(trigger, later, { places, runId, at: Math.max(now, lastEventMs) });
  const unplaced = later.length - pending.length;
  const texts = [
    ...(deduped.unusable === 0 ? [] : [unusableText(strategy, deduped)]),
    ...(unplaced === 0 ? [] : [tooManyText(unplaced, places.waiting + pending.length)]),
  ];
  const notices = texts.map((text) => ({ level: 'warn', text, at: now }) as const);
  const told = { ...end, console: [...end.console, ...notices] };
  const run = runRecord(trigger, told, { runId, emitted, deduped: dropped, now });
  const logs = logsBytesMax === undefined ? undefined : logsReport(run.data, logsBytesMax);
  if (logs !== undefined) events.push(eventOf(logs, events.length));
  return { events, pending, run, memory: { ...clock, dedupe: memory } };
}

interface Placed {
  readonly recordId: string;
  readonly runId: string;
  readonly eventId: string;
  readonly at: Millis;
}

function eventRecord(trigger: Trigger, emit: EmitCall, { recordId, runId, eventId, at }: Placed): EmittedEvent {
  const { sourceId, kind, hops } = trigger.data;
  const event: EmittedEvent = {
    ...envelopeAfter(trigger, recordId, at),
    type: 'EventEmitted',
    data: {
      emitterId: sourceId,
      eventId,
      channel: emit.channel,
      event: emit.event,
      emit: emitOf(emit),
      runId,
      ...(hops === undefined ? {} : { hops }),
      ...(kind === 'sample' ? { sample: true } : {}),
    },
  };
  return kind === 'sample' ? { ...event, version: versionOf(event) } : event;
}

interface Counted {
  readonly runId: string;
  readonly emitted: readonly string[];
  readonly deduped: number;
  readonly now: Millis;
}

function runRecord(trigger: Trigger, end: RunEnd, { runId, emitted, deduped, now }: Counted): RunEvent {
  const { outcome, startedAt, durationMs, console, error, requests } = end;
  const { sourceId, kind } = trigger.data;
  const shown = { outcome, startedAt, durationMs, console, ...(error === undefined ? {} : { error }) };
  const type = 'RunFinished';
  const data = { runId, sourceId, kind, ...shown, emitted, deduped, ...(requests === undefined ? {} : { requests }) };
  return { ...recordAfter(trigger, 'run', now), type, version: versionOf({ type, data }), data };
}

/** What `hooks` holds of a hook or describe trigger. */
export function hookRecord(
  trigger: Trigger,
  hook: Decided<HookEvent | CodeFetched>,
  now: Millis,
): HookEvent | CodeFetched {
  return { ...recordAfter(trigger, 'hook', now), ...hook, version: versionOf(hook) };
}

/** The envelope of what follows from a trigger: the same `part` gives the same id whenever the trigger is repeated. */
export const recordAfter = (trigger: Cause, part: string, at: Millis): Envelope =>
  envelopeAfter(trigger, derivedId('rec', trigger.id, part), at);

/** The record that another record follows from; its `key` is the source's id. */
export type Cause = Pick<LogRecord, 'id' | 'key' | 'workspace' | 'correlationId'>;
type Envelope = Omit<LogRecord, 'type' | 'data'>;

function envelopeAfter({ id, key, workspace, correlationId }: Cause, recordId: string, at: Millis): Envelope {
  return { id: recordId, version: 1, key, at, workspace, correlationId, causationId: id };
}
