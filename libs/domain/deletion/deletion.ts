// Turns a request to delete events into the record of the deletion, whose end is at most the newest event at that time.
import { derivedId } from '../id.ts';
import type { Millis } from '../message.ts';
import { versionOf } from '../record/record-version.ts';
import { eventOrder } from '../channel/event-id.ts';
import type { EventClock } from '../channel/event-id.ts';
import type { ChannelEvent, DeletionRequest } from '../channel/messages.ts';

/**
 * `clock`: the source's; undefined: the source is deleted. The record's time is never before the newest event that it
 * covers, so that retention never deletes it before those events. Returns undefined if the source has no events.
 */
export function deletionEvent(
  request: DeletionRequest,
  clock: EventClock | undefined,
  now: Millis,
): ChannelEvent | undefined {
  if (clock?.nextSeq === 0) return undefined;
  const { id, key, workspace, correlationId, data } = request;
  const { sourceId: emitterId, channel, startId, endId } = data;
  const range = {
    emitterId,
    channel,
    startId,
    endId: clock === undefined ? endId : earlierEnd(endId, newestOf(clock)),
  };
  const at = Math.max(now, clock?.lastEventMs ?? 0);
  const type = 'EventsDeleted' as const;
  const envelope = { id: derivedId('rec', id, 'deletion'), key, at, workspace, correlationId, causationId: id };
  return { ...envelope, type, version: versionOf({ type, data: range }), data: range };
}

const newestOf = ({ nextSeq, lastEventMs }: EventClock): string => `${lastEventMs}-${nextSeq - 1}`;

const earlierEnd = (endId: string | null, newest: string): string =>
  endId === null || eventOrder(endId) > eventOrder(newest) ? newest : endId;
