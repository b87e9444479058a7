// Delayed emits: makes their records on `pending`, and the events that they become when due.
import type { Trigger } from '../source/messages.ts';
import type { EmittedEvent } from '../channel/messages.ts';
import { stampEvent } from '../channel/event-id.ts';
import type { EventClock } from '../channel/event-id.ts';
import { derivedId, derivedIds } from '../id.ts';
import type { Millis, Tombstone } from '../message.ts';
import type { EmitCall } from '../component/emit-call.ts';
import type { PendingEvent } from './messages.ts';
import { chainFrom } from '../trace/chain.ts';

/** The channel that shows waiting events; names that begin with `$` are reserved for the service. */
export const pendingChannel = '$in';

/** How many more events of a source can wait (`room`), and the number of the next one. */
export interface PendingCapacity {
  readonly next: number;
  /** The number of events that wait already. */
  readonly waiting: number;
  readonly room: number;
}

export const noPendingCapacity: PendingCapacity = { next: 0, waiting: 0, room: 0 };

export const isDelayed = ({ deliveryTs }: EmitCall): boolean => deliveryTs !== undefined;

export const pendingKey = (sourceId: string, number: number): string => `${sourceId}/${number}`;

/** The source and number in a key. */
export function parsePendingKey(key: string): { readonly sourceId: string; readonly number: number } {
  const slash = key.lastIndexOf('/');
  return { sourceId: key.slice(0, slash), number: Number(key.slice(slash + 1)) };
}

/** The metadata that the component passed to `$emit` besides event and channel. */
export function emitOf({ id, summary, ts }: EmitCall): EmittedEvent['data']['emit'] {
  if (id === undefined && summary === undefined && ts === undefined) return {};
  return {
    ...(id === undefined ? {} : { id }),
    ...(summary === undefined ? {} : { summary }),
    ...(ts === undefined ? {} : { ts }),
  };
}

/** The records of the first calls, as many as there is room for, in order; `at` is the time of the append. */
export function delayedRecords(
  trigger: Trigger,
  calls: readonly EmitCall[],
  { capacity, runId, at }: { readonly capacity: PendingCapacity; readonly runId: string; readonly at: Millis },
): readonly PendingEvent[] {
  const { sourceId, hops } = trigger.data;
  const recordIdAt = derivedIds('rec', trigger.id, 'pending');
  return calls.slice(0, Math.max(0, capacity.room)).map((call, index) => {
    const number = capacity.next + index;
    const { id: causationId, workspace, correlationId } = trigger;
    const envelope = { id: recordIdAt(index), version: 1, key: pendingKey(sourceId, number), at };
    const { channel, event, deliveryTs: dueAt = at } = call;
    const identity = { sourceId, number, pendingId: `${at}-${number}`, dueAt };
    const hopsField = hops === undefined ? {} : { hops };
    const data = { ...identity, channel, event, emit: emitOf(call), runId, ...hopsField };
    return { type: 'EmitDelayed', ...envelope, workspace, correlationId, causationId, data };
  });
}

/** The text for the component's author in the record of a run with dropped emits. */
export const tooManyPendingText = (dropped: number, waiting: number): string =>
  `${dropped === 1 ? '1 emit was' : `${dropped} emits were`} dropped: no more events can wait for their delivery_ts. ` +
  `${waiting} of this source wait already; cancel some, or emit when others have become events.`;

export interface EventWhenDue {
  readonly event: EmittedEvent;
  readonly clock: EventClock;
}

/** The event that a delayed emit becomes at `now`, with the next number of its source. */
export function eventWhenDue(pending: PendingEvent, before: EventClock, now: Millis): EventWhenDue {
  const { id: causationId, workspace, correlationId } = pending;
  const { sourceId, channel, event, emit, runId, hops } = pending.data;
  const { eventId, at, clock } = stampEvent(before, now);
  const envelope = { id: derivedId('rec', causationId, 'due'), version: 1, key: sourceId, at, workspace };
  const data = { emitterId: sourceId, eventId, channel, event, emit, runId, ...(hops === undefined ? {} : { hops }) };
  return { event: { type: 'EventEmitted', ...envelope, correlationId, causationId, data }, clock };
}

/** The tombstone of an event that no longer waits. */
export function pendingTombstone(sourceId: string, number: number, at: Millis): Tombstone<PendingEvent> {
  const key = pendingKey(sourceId, number);
  const id = derivedId('rec', 'pending', key, at);
  const envelope = { version: 1, key, at, workspace: '', ...chainFrom(id, 'runtime') };
  return { id, type: 'EmitDelayed', ...envelope, data: undefined };
}
