// Turns a request to publish into events: a new event for each new id, and the known event's id for each repeated one.
import { stampEvent } from '../channel/event-id.ts';
import type { EventClock } from '../channel/event-id.ts';
import type { EmittedEvent } from '../channel/messages.ts';
import { emitOf } from '../pending/pending.ts';
import { derivedIds } from '../id.ts';
import type { Millis } from '../message.ts';
import type { PublishedEvent, PublishRequest } from './messages.ts';
import { idHash } from './recent-ids.ts';
import type { RecentIds } from './recent-ids.ts';

/** The most events of one request (docs/api.md, "Publishing events"). */
export const publishedEventsMax = 1_000;

/** The run id of events that no run has emitted. */
const noRunId = '';

export interface PublishResult {
  readonly events: readonly EmittedEvent[];
  /** In the order of the request: the id of each event, or of the earlier event that it repeats. */
  readonly ids: readonly string[];
  /** The places in the request of repeated events. */
  readonly duplicates: readonly number[];
  readonly clock: EventClock;
}

/** Adds the ids of the new events to `recent`. */
export function publish(
  request: PublishRequest,
  { clock: before, recent, now }: { readonly clock: EventClock; readonly recent: RecentIds; readonly now: Millis },
): PublishResult {
  const { events: requestedEvents } = request.data;
  const recordIdAt = derivedIds('rec', request.id, 'event');
  const events: EmittedEvent[] = [];
  const ids: string[] = [];
  const duplicates: number[] = [];
  let clock = before;
  for (const index of indexesByTime(requestedEvents, now)) {
    const published = requestedEvents[index];
    if (published === undefined) continue;
    const identity = identityOf(request, published, index);
    const hash = identity === undefined ? undefined : idHash(identity);
    const known = hash === undefined ? undefined : recent.find(hash);
    if (known !== undefined) {
      ids[index] = known;
      duplicates.push(index);
      continue;
    }
    const stamp = stampEvent(clock, now);
    clock = stamp.clock;
    ids[index] = stamp.eventId;
    if (hash !== undefined) recent.add(hash, stamp.eventId);
    events.push(eventRecord(request, published, { ...stamp, recordId: recordIdAt(events.length) }));
  }
  return { events, ids, duplicates, clock };
}

/** How many of the request's events are remembered: those with an id, or all if it has an Idempotency-Key. */
export const rememberedCount = ({ data: { events, requestKey } }: PublishRequest): number =>
  requestKey === undefined ? events.filter(({ id }) => id !== undefined).length : events.length;

/** Places in the request, oldest first by `ts`, which is now if absent. Equal times keep their order. */
function indexesByTime(events: readonly PublishedEvent[], now: Millis): readonly number[] {
  const indexes = Array.from(events.keys());
  if (events.every(({ ts }) => ts === undefined)) return indexes;
  const timeAt = (index: number): number => events[index]?.ts ?? now;
  return indexes.sort((a, b) => timeAt(a) - timeAt(b));
}

/** The text by which repeats are found; ids are compared as texts. Undefined: the event is always new. */
function identityOf(
  { data: { requestKey } }: PublishRequest,
  event: PublishedEvent,
  index: number,
): string | undefined {
  if (event.id !== undefined) return `id ${event.id}`;
  return requestKey === undefined ? undefined : `request ${requestKey} ${index} ${JSON.stringify(event)}`;
}

interface RecordStamp {
  readonly recordId: string;
  readonly eventId: string;
  readonly at: Millis;
}

function eventRecord(
  { id: causationId, workspace, correlationId, data: { sourceId } }: PublishRequest,
  { channel, event, ...metadata }: PublishedEvent,
  { recordId, eventId, at }: RecordStamp,
): EmittedEvent {
  const emit = emitOf({ channel, event, ...metadata });
  return {
    id: recordId,
    type: 'EventEmitted',
    version: 1,
    key: sourceId,
    at,
    workspace,
    correlationId,
    causationId,
    data: { emitterId: sourceId, eventId, channel, event, emit, runId: noRunId },
  };
}
