// Events that are emitted at a later time: what waits on `pending`, and what comes of it when its time has come.
import type { Trigger } from '../component/messages.ts';
import type { EmittedEvent } from '../channel/messages.ts';
import { stampEvent } from '../channel/event-id.ts';
import type { EventClock } from '../channel/event-id.ts';
import { derivedId, derivedIds } from '../id.ts';
import type { Millis } from '../message.ts';
import type { MessageOn } from '../messages-of.ts';
import type { EmitCall } from './call.ts';
import type { PendingEvent } from './messages.ts';

/** The channel that shows what waits; names that begin with `$` are the service's. */
export const pendingChannel = '$in';

/** What of a source may still wait, and from which number on. */
export interface PendingPlaces {
  readonly next: number;
  /** How many do already. */
  readonly waiting: number;
  readonly room: number;
}

export const noPlaces: PendingPlaces = { next: 0, waiting: 0, room: 0 };

export const isDelayed = ({ deliveryTs }: EmitCall): boolean => deliveryTs !== undefined;

export const pendingKey = (sourceId: string, number: number): string => `${sourceId}/${number}`;

/** What a key is about. */
export function placeOf(key: string): { readonly sourceId: string; readonly number: number } {
  const slash = key.lastIndexOf('/');
  return { sourceId: key.slice(0, slash), number: Number(key.slice(slash + 1)) };
}

/** What the component gave to `$emit` beside event and channel. */
export const emitOf = ({ id, summary, ts }: EmitCall): EmittedEvent['data']['emit'] => ({
  ...(id === undefined ? {} : { id }),
  ...(summary === undefined ? {} : { summary }),
  ...(ts === undefined ? {} : { ts }),
});

/** Records of as many of them as there is room for, in the order of the calls; `at` is the time of the append. */
export function delayed(
  trigger: Trigger,
  calls: readonly EmitCall[],
  { places, runId, at }: { readonly places: PendingPlaces; readonly runId: string; readonly at: Millis },
): readonly PendingEvent[] {
  const { sourceId, hops } = trigger.data;
  const recordIdAt = derivedIds('rec', trigger.id, 'pending');
  return calls.slice(0, Math.max(0, places.room)).map((call, index) => {
    const number = places.next + index;
    const { id: causationId, workspace, correlationId } = trigger;
    const envelope = { id: recordIdAt(index), version: 1, key: pendingKey(sourceId, number), at };
    const { channel, event, deliveryTs: dueAt = at } = call;
    const place = { sourceId, number, pendingId: `${at}-${number}`, dueAt };
    const counted = hops === undefined ? {} : { hops };
    const data = { ...place, channel, event, emit: emitOf(call), runId, ...counted };
    return { type: 'EmitDelayed', ...envelope, workspace, correlationId, causationId, data };
  });
}

/** What the author of the component reads in the record of a run some of whose emits were dropped. */
export const tooManyText = (dropped: number, waiting: number): string =>
  `${dropped === 1 ? '1 emit was' : `${dropped} emits were`} dropped: no more events can wait for their delivery_ts. ` +
  `${waiting} of this source wait already; cancel some, or emit when others have become events.`;

export interface DueEvent {
  readonly event: EmittedEvent;
  readonly clock: EventClock;
}

/** The event that it becomes at `now`, numbered among the others of its source. */
export function dueEvent(pending: PendingEvent, before: EventClock, now: Millis): DueEvent {
  const { id: causationId, workspace, correlationId } = pending;
  const { sourceId, channel, event, emit, runId, hops } = pending.data;
  const { eventId, at, clock } = stampEvent(before, now);
  const envelope = { id: derivedId('rec', causationId, 'due'), version: 1, key: sourceId, at, workspace };
  const data = { emitterId: sourceId, eventId, channel, event, emit, runId, ...(hops === undefined ? {} : { hops }) };
  return { event: { type: 'EventEmitted', ...envelope, correlationId, causationId, data }, clock };
}

/** It waits no longer. */
export function pendingEnded(sourceId: string, number: number, at: Millis): MessageOn<'pending'> {
  const key = pendingKey(sourceId, number);
  const id = derivedId('rec', 'pending', key, at);
  const envelope = { version: 1, key, at, workspace: '', correlationId: id, causationId: id };
  return { id, type: 'EmitDelayed', ...envelope, data: undefined };
}
