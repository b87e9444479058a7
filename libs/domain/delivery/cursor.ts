// The cursor, a subscription's position in one source's events, and the pure functions that advance it.
import type { Millis } from '../message.ts';
import type { CursorCounters, CursorEvent, OpenDelivery } from './messages.ts';
import { retryWaitMaxMs } from './retry.ts';

type DataOf<Type extends CursorEvent['type']> = Extract<CursorEvent, { type: Type }>['data'];

/** The most unfinished events in the cursor's own record, which must stay small. */
export const openDeliveriesMax = 1_024;
/** The most failed events in the cursor's own record; others get their own records, so that a flush rewrites few. */
export const failedInlineMax = 16;
/** Waiting retries per cursor: 75 hours of an event every 2.7 s. Above it the oldest is parked; the others continue. */
export const waitingRetriesMax = 100_000;

/** Why an event is given up: it is no longer on the log, is older than the retention, was deleted, or its delivery was. */
export type ExpiryReason = 'gone' | 'overtaken' | 'deleted' | 'discarded';
/** The counter that a finished event is added to. */
export type FinishReason = 'delivered' | 'parked' | 'filtered' | ExpiryReason;

/** `open` is in offset order and below `next`; other unfinished events have their own records. */
export interface CursorPosition {
  readonly epoch: number;
  readonly next: number;
  readonly open: readonly OpenDelivery[];
  readonly counters: CursorCounters;
}

const zeroCounters: CursorCounters = {
  published: 0,
  delivered: 0,
  parked: 0,
  filtered: 0,
  expired: { gone: 0, retention: 0 },
};

export const cursorAt = (next: number): CursorPosition => ({ epoch: 1, next, open: [], counters: zeroCounters });

/** Gives a matching event its number, in offset order, and begins no attempt. Throws if it is below the cursor. */
export function assignNumber(cursor: CursorPosition, offset: number): CursorPosition {
  if (offset < cursor.next) throw new Error(`Offset ${offset} is below the cursor, which is at ${cursor.next}.`);
  const { epoch, open, counters } = cursor;
  return { epoch, next: offset + 1, open, counters: { ...counters, published: counters.published + 1 } };
}

/** Gives the next matching event its number and begins its first attempt. */
export function beginNext(cursor: CursorPosition, offset: number, at: Millis, orderKey?: string): CursorPosition {
  const numbered = assignNumber(cursor, offset);
  const delivery = { offset, sequence: numbered.counters.published, attempts: 0, dueAt: at, waitMs: 0 };
  return { ...numbered, open: [...cursor.open, orderKey === undefined ? delivery : { ...delivery, orderKey }] };
}

/** Begins the first attempt at an event that already has a number. */
export function beginNumbered(
  cursor: CursorPosition,
  event: Pick<OpenDelivery, 'offset' | 'sequence' | 'orderKey'>,
  at: Millis,
): CursorPosition {
  const laterCount = cursor.open.length - 1 - cursor.open.findLastIndex(({ offset }) => offset < event.offset);
  const delivery = { ...event, attempts: 0, dueAt: at, waitMs: 0 };
  return { ...cursor, open: cursor.open.toSpliced(cursor.open.length - laterCount, 0, delivery) };
}

/**
 * Corrects the counters: `missing` events that have numbers are gone from the log; negative: that many were counted as
 * filtered and are wanted.
 */
export function correctCounters(cursor: CursorPosition, missing: number): CursorPosition {
  const { expired, filtered } = cursor.counters;
  const counters =
    missing > 0 ? { expired: addExpired(cursor.counters, 'gone', missing) } : { expired, filtered: filtered + missing };
  return { ...cursor, counters: { ...cursor.counters, ...counters } };
}

export interface RetryTime {
  readonly dueAt: Millis;
  readonly waitMs: Millis;
}

export const postponeDelivery = (delivery: OpenDelivery, { dueAt, waitMs }: RetryTime): OpenDelivery => ({
  ...delivery,
  attempts: delivery.attempts + 1,
  dueAt,
  waitMs,
});

/** An attempt failed; the next one is due at `dueAt`. */
export function postpone(cursor: CursorPosition, offset: number, retryTime: RetryTime): CursorPosition {
  const open = cursor.open.map((delivery) =>
    delivery.offset === offset ? postponeDelivery(delivery, retryTime) : delivery,
  );
  return { ...cursor, open };
}

/** The failed events in the cursor's own record except the newest `max`, oldest first. */
export function failedBeyond({ open }: CursorPosition, max: number): readonly OpenDelivery[] {
  const failed = open.filter(({ attempts }) => attempts > 0);
  return failed.slice(0, Math.max(0, failed.length - max));
}

/** Removes an unfinished event from the cursor, because it gets its own record. Throws if it is not open there. */
export function removeOpen(cursor: CursorPosition, offset: number): CursorPosition {
  const index = cursor.open.findIndex((delivery) => delivery.offset === offset);
  if (index === -1) throw new Error(`Offset ${offset} is not open on this cursor.`);
  return { ...cursor, open: cursor.open.toSpliced(index, 1) };
}

/** Counts an event that is open on the cursor itself as finished. */
export function finish(cursor: CursorPosition, offset: number, reason: FinishReason): CursorPosition {
  return countFinished(removeOpen(cursor, offset), reason);
}

/** Counts an event with its own record as finished. */
export function countFinished({ epoch, next, open, counters }: CursorPosition, reason: FinishReason): CursorPosition {
  if (reason !== 'delivered' && reason !== 'parked' && reason !== 'filtered')
    return { epoch, next, open, counters: { ...counters, expired: addExpired(counters, reason, 1) } };
  return { epoch, next, open, counters: { ...counters, [reason]: counters[reason] + 1 } };
}

const expiryCounters = { gone: 'gone', overtaken: 'retention', deleted: 'deleted', discarded: 'discarded' } as const;

/** The counters of expired events with `count` more of this reason. */
export function addExpired(
  { expired }: CursorCounters,
  reason: ExpiryReason,
  count: number,
): CursorCounters['expired'] {
  const counter = expiryCounters[reason];
  return { ...expired, [counter]: (expired[counter] ?? 0) + count };
}

/** Gives up matching events below `next` that never began: each gets its number and counts as expired. */
export function expireUnbegun(
  cursor: CursorPosition,
  { count, next, as = 'overtaken' }: { readonly count: number; readonly next: number; readonly as?: ExpiryReason },
): CursorPosition {
  const { counters } = cursor;
  const expired = addExpired(counters, as, count);
  return {
    epoch: cursor.epoch,
    next: Math.max(cursor.next, next),
    open: cursor.open,
    counters: { ...counters, published: counters.published + count, expired },
  };
}

/** The next attempt at an open event is due at `at`. */
export function makeDue(cursor: CursorPosition, offset: number, at: Millis): CursorPosition {
  const open = cursor.open.map((one) => (one.offset === offset ? { ...one, dueAt: at, waitMs: 0 } : one));
  return { ...cursor, open };
}

/** Numbers and counts events below `next` that the filter rejects; all of them are before the next event to begin. */
export function skipFiltered(
  cursor: CursorPosition,
  { count, next }: { readonly count: number; readonly next: number },
): CursorPosition {
  const { published, filtered } = cursor.counters;
  const counters = { ...cursor.counters, published: published + count, filtered: filtered + count };
  return { ...cursor, next: Math.max(cursor.next, next), counters };
}

/** The number of events given up. */
export const expiredOf = ({ expired }: CursorCounters): number =>
  expired.gone + expired.retention + (expired.deleted ?? 0) + (expired.discarded ?? 0);

/** The number of events counted as finished. */
export const finishedOf = (counters: CursorCounters): number =>
  counters.delivered + counters.parked + counters.filtered + expiredOf(counters);

/** The state of a matching event for this cursor; `mark` is how far delivery has read. */
export function eventStateOf(
  cursor: Pick<CursorPosition, 'next' | 'open'> & { readonly behindFrom: number | null },
  offset: number,
  mark: number,
): 'finished' | 'open' | 'waiting' {
  if (cursor.open.some((delivery) => delivery.offset === offset)) return 'open';
  if (offset < cursor.next) return 'finished';
  const waits = offset >= mark || (cursor.behindFrom !== null && offset >= cursor.behindFrom);
  return waits ? 'waiting' : 'finished';
}

/** The data of the cursor's record. `unreadFrom`: the first matching event known not to have begun; null: none. */
export function cursorRecordData(
  target: { readonly subscriptionId: string; readonly emitterId: string },
  cursor: CursorPosition,
  unreadFrom: number | null,
): DataOf<'CursorAdvanced'> {
  const { subscriptionId, emitterId } = target;
  const { epoch, next, open, counters } = cursor;
  return { subscriptionId, emitterId, epoch, next, open, counters, behindFrom: unreadFrom };
}

/** Reads the record of an earlier version, which counted finished events whatever the outcome, and gave no numbers. */
export function fromCursorMoved({ next, open, sequence }: DataOf<'CursorMoved'>): CursorPosition {
  const counters = { ...zeroCounters, published: sequence + open.length, delivered: sequence };
  const numbered = open.map((delivery, i) => ({ ...delivery, sequence: sequence + 1 + i, waitMs: retryWaitMaxMs }));
  return { epoch: 1, next, open: numbered, counters };
}

/** When to retry after a restart: a clock that was ahead when `dueAt` was written must not lengthen the wait. */
export const dueAfterRestart = ({ dueAt, waitMs }: OpenDelivery, now: Millis): Millis => Math.min(dueAt, now + waitMs);

/** The key on `cursors`. */
export const cursorKey = (subscriptionId: string, emitterId: string): string => `${subscriptionId}/${emitterId}`;

/** The sequence of a delivery that was parked and is tried again: its former number is no longer known. */
export const reopenedSequence = 0;

/** Identifies a delivery with its own record among those of its cursor. */
export const waitingIdOf = ({ sequence, offset }: Pick<OpenDelivery, 'sequence' | 'offset'>): string =>
  sequence === reopenedSequence ? `again-${offset}` : String(sequence);

/** The key of a delivery with its own record. */
export const waitingKey = (cursor: string, waitingId: string): string => `${cursor}/${waitingId}`;

/** The subscription in a key on `cursors`: in a tombstone, the key is all there is. */
export const subscriptionOfKey = (key: string): string => key.split('/', 1)[0] ?? key;
