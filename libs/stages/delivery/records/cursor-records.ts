// Builds the records of `cursors`: a subscription's progress with each source, and its end.
import { advanced, waitingKey, waitingPlace } from '../../../domain/delivery/cursor.ts';
import type { CursorEvent, FilteredEvent } from '../../../domain/delivery/messages.ts';
import { placesOf } from '../filters/subscription-filters.ts';
import { derivedId } from '../../../domain/id.ts';
import type { LogRecord, Millis } from '../../../domain/message.ts';
import { versionOf } from '../../../domain/record/record-version.ts';
import type { MessageOn } from '../../../domain/messages-of.ts';
import { chainFrom } from '../../../domain/trace/chain.ts';
import type { SourceCursor } from '../cursors/source-cursor.ts';
import { cursorsOf, type Subscription } from '../subscriptions/subscription.ts';
import { lineRecordKeys, lineRecords } from '../cursors/by-key/line-records.ts';
import { placesKey } from './filters-placed.ts';
import { openingKey } from './opening-records.ts';
import { reportOf } from '../outcomes/cursor-report.ts';

type Of<Type extends CursorEvent['type']> = Extract<CursorEvent, { type: Type }>;

/** The record of a cursor. It results from many events at once, so it begins a new correlation. */
export function cursorAdvanced(cursor: SourceCursor, at: Millis): Of<'CursorAdvanced'> {
  const { subscription, emitterId, key } = cursor;
  const target = { subscriptionId: subscription.subscriptionId, emitterId };
  const { order } = cursor;
  const ordered = order === undefined || order.isEmpty ? {} : { orderedBy: order.pointer };
  const data = { ...advanced(target, cursor.position, cursor.unreadFrom), report: reportOf(cursor), ...ordered };
  const type = 'CursorAdvanced';
  return { ...chain(cursor, key, data, at), version: versionOf({ type, data }), type, data };
}

/** The changes since the last call to deliveries with separate records, and to events that wait for their key. */
export function waitingRecords(cursor: SourceCursor, at: Millis): MessageOn<'cursors'>[] {
  const { subscription, emitterId } = cursor;
  const target = { subscriptionId: subscription.subscriptionId, emitterId };
  const retries = Array.from(cursor.aside.takeChanges(), ([place, delivery]): MessageOn<'cursors'> => {
    const data = delivery && { ...target, ...delivery };
    const type = 'RetryWaiting';
    const version = versionOf({ type, data });
    return { ...chain(cursor, waitingKey(cursor.key, place), data, at), version, type, data };
  });
  return [...retries, ...lineRecords(cursor, (key, data) => chain(cursor, key, data, at))];
}

/** The events filtered since the last call; those of a replay are not counted for the subscription. */
export function filteredRecords(cursor: SourceCursor, at: Millis): FilteredEvent[] {
  const { emitterId, position, seen, subscription, replayId } = cursor;
  const { filtered } = position.counters;
  const count = filtered - seen.filtered;
  if (replayId !== undefined || count <= 0) return [];
  seen.filtered = filtered;
  const { subscriptionId } = subscription;
  const data = { subscriptionId, emitterId, count };
  const type = 'EventsFiltered';
  const id = derivedId('rec', cursor.key, 'filtered', filtered);
  return [{ ...chain(cursor, subscriptionId, data, at), id, version: versionOf({ type, data }), type, data }];
}

function chain({ key: cursorKey, subscription }: SourceCursor, key: string, data: unknown, at: Millis) {
  const id = derivedId('rec', cursorKey, key, at, JSON.stringify(data) ?? '');
  return { id, version: 1, key, at, workspace: subscription.workspace, ...chainFrom(id, 'delivery') };
}

/** Tombstones for all records of the subscription. */
export function cursorsClosed(subscription: Subscription, partition: number, cause: LogRecord): MessageOn<'cursors'>[] {
  const { subscriptionId, workspace, isBaseRecorded, searchedTo, filters = [] } = subscription;
  const keys = [
    ...Array.from(cursorsOf(subscription)).flatMap(keysOf),
    ...(isBaseRecorded ? [subscriptionId] : []),
    ...(searchedTo === undefined ? [] : [openingKey(subscriptionId)]),
    ...(placesOf(filters).length > 0 ? [placesKey(subscriptionId)] : []),
  ];
  const { id, at, correlationId } = cause;
  return keys.map((key) => closed(key, partition, { id, at, workspace, correlationId }));
}

/** Tombstones for the records of a subscription that ended while no task followed it. */
export function cursorsLeft(
  records: ReadonlyMap<string, LogRecord>,
  partition: number,
  at: Millis,
): MessageOn<'cursors'>[] {
  return Array.from(records, ([key, { id, workspace }]) =>
    closed(key, partition, { id, at, workspace, ...chainFrom(id, 'delivery') }),
  );
}

type Cause = Pick<LogRecord, 'id' | 'at' | 'workspace' | 'correlationId'>;

function closed(key: string, partition: number, { id: causationId, ...cause }: Cause): MessageOn<'cursors'> {
  const id = derivedId('rec', causationId, 'closed', partition, key);
  return { ...cause, id, type: 'CursorClosed', version: 1, key, data: undefined, causationId };
}

const keysOf = (cursor: SourceCursor): string[] => [
  ...Array.from(cursor.aside.all(), (delivery) => waitingKey(cursor.key, waitingPlace(delivery))),
  ...Array.from(cursor.aside.takeChanges().keys(), (place) => waitingKey(cursor.key, place)),
  ...lineRecordKeys(cursor),
  cursor.key,
];
