// Builds the records of `cursors`: a subscription's progress with each source, and its end.
import { cursorRecordData, waitingKey, waitingIdOf } from '../../../domain/delivery/cursor.ts';
import type { CursorEvent, FilteredEvent } from '../../../domain/delivery/messages.ts';
import { placedChangesOf } from '../filters/subscription-filters.ts';
import { derivedId } from '../../../domain/id.ts';
import type { LogRecord, Millis } from '../../../domain/message.ts';
import { versionOf } from '../../../domain/record/record-version.ts';
import type { MessageOn } from '../../../domain/messages-of.ts';
import { chainFrom } from '../../../domain/trace/chain.ts';
import type { SourceCursor } from '../cursors/source-cursor.ts';
import { cursorsOf, type Subscription } from '../subscriptions/subscription.ts';
import { lineRecordKeys, lineRecords } from '../cursors/by-key/line-records.ts';
import { filterChangesKey } from './filters-placed.ts';
import { openingKey } from './opening-records.ts';
import { reportOf } from '../outcomes/cursor-report.ts';

type CursorRecord<Type extends CursorEvent['type']> = Extract<CursorEvent, { type: Type }>;

/** The record of a cursor. It results from many events at once, so it begins a new correlation. */
export function cursorAdvanced(cursor: SourceCursor, at: Millis): CursorRecord<'CursorAdvanced'> {
  const { subscription, emitterId, key } = cursor;
  const target = { subscriptionId: subscription.subscriptionId, emitterId };
  const { keyOrder } = cursor;
  const ordered = keyOrder === undefined || keyOrder.isEmpty ? {} : { orderedBy: keyOrder.pointer };
  const data = {
    ...cursorRecordData(target, cursor.position, cursor.unreadFrom),
    report: reportOf(cursor),
    ...ordered,
  };
  const type = 'CursorAdvanced';
  return { ...envelopeOf(cursor, key, data, at), version: versionOf({ type, data }), type, data };
}

/** The changes since the last call to deliveries with separate records, and to events that wait for their key. */
export function waitingRecords(cursor: SourceCursor, at: Millis): MessageOn<'cursors'>[] {
  const { subscription, emitterId } = cursor;
  const target = { subscriptionId: subscription.subscriptionId, emitterId };
  const retries = Array.from(cursor.retries.takeChanges(), ([place, delivery]): MessageOn<'cursors'> => {
    const data = delivery && { ...target, ...delivery };
    const type = 'RetryWaiting';
    const version = versionOf({ type, data });
    return { ...envelopeOf(cursor, waitingKey(cursor.key, place), data, at), version, type, data };
  });
  return [...retries, ...lineRecords(cursor, (key, data) => envelopeOf(cursor, key, data, at))];
}

/** The events filtered since the last call; those of a replay are not counted for the subscription. */
export function filteredRecords(cursor: SourceCursor, at: Millis): FilteredEvent[] {
  const { emitterId, position, reportState, subscription, replayId } = cursor;
  const { filtered } = position.counters;
  const count = filtered - reportState.filtered;
  if (replayId !== undefined || count <= 0) return [];
  reportState.filtered = filtered;
  const { subscriptionId } = subscription;
  const data = { subscriptionId, emitterId, count };
  const type = 'EventsFiltered';
  const id = derivedId('rec', cursor.key, 'filtered', filtered);
  return [{ ...envelopeOf(cursor, subscriptionId, data, at), id, version: versionOf({ type, data }), type, data }];
}

function envelopeOf({ key: cursorKey, subscription }: SourceCursor, key: string, data: unknown, at: Millis) {
  const id = derivedId('rec', cursorKey, key, at, JSON.stringify(data) ?? '');
  return { id, version: 1, key, at, workspace: subscription.workspace, ...chainFrom(id, 'delivery') };
}

/** Tombstones for all records of the subscription. */
export function subscriptionTombstones(
  subscription: Subscription,
  partition: number,
  cause: LogRecord,
): MessageOn<'cursors'>[] {
  const { subscriptionId, workspace, isBaseRecorded, searchedTo, filters = [] } = subscription;
  const keys = [
    ...Array.from(cursorsOf(subscription)).flatMap(recordKeysOf),
    ...(isBaseRecorded ? [subscriptionId] : []),
    ...(searchedTo === undefined ? [] : [openingKey(subscriptionId)]),
    ...(placedChangesOf(filters).length > 0 ? [filterChangesKey(subscriptionId)] : []),
  ];
  const { id, at, correlationId } = cause;
  return keys.map((key) => tombstone(key, partition, { id, at, workspace, correlationId }));
}

/** Tombstones for the records of a subscription that ended while no task followed it. */
export function orphanTombstones(
  records: ReadonlyMap<string, LogRecord>,
  partition: number,
  at: Millis,
): MessageOn<'cursors'>[] {
  return Array.from(records, ([key, { id, workspace }]) =>
    tombstone(key, partition, { id, at, workspace, ...chainFrom(id, 'delivery') }),
  );
}

type Cause = Pick<LogRecord, 'id' | 'at' | 'workspace' | 'correlationId'>;

function tombstone(key: string, partition: number, { id: causationId, ...cause }: Cause): MessageOn<'cursors'> {
  const id = derivedId('rec', causationId, 'closed', partition, key);
  return { ...cause, id, type: 'CursorClosed', version: 1, key, data: undefined, causationId };
}

const recordKeysOf = (cursor: SourceCursor): string[] => [
  ...Array.from(cursor.retries.all(), (delivery) => waitingKey(cursor.key, waitingIdOf(delivery))),
  ...Array.from(cursor.retries.takeChanges().keys(), (place) => waitingKey(cursor.key, place)),
  ...lineRecordKeys(cursor),
  cursor.key,
];
