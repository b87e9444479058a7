// A subscription's position in one emitter's events, as pure steps: what begins, what fails, what is finished.
import type { Millis } from '../message.ts';
import type { CursorCounters, CursorEvent, OpenDelivery } from './messages.ts';
import { retryWaitMaxMs } from './retry.ts';

type DataOf<Type extends CursorEvent['type']> = Extract<CursorEvent, { type: Type }>['data'];

/** At most this many unfinished events in the cursor itself: it must stay a small record. */
export const openMax = 1_024;
/** Failed ones that stay in the cursor itself: more are records of their own, so that each flush writes few of them again. */
export const failedInHeadMax = 16;
/** Retries that wait of one cursor: 75 hours of an event every 2.7 s. Beyond it the oldest is parked, and the good ones go on. */
export const waitingMax = 100_000;

/** Why an event is given up: it is not on the log any more, is older than what is kept, or was deleted. */
export type Expired = 'gone' | 'overtaken' | 'deleted';
/** How an event is accounted for. */
export type Finish = 'delivered' | 'parked' | 'filtered' | Expired;

/** `open` is in the order of the offsets, and all of it is below `next`; other unfinished ones have records of their own. */
export interface CursorPosition {
  readonly epoch: number;
  readonly next: number;
  readonly open: readonly OpenDelivery[];
  readonly counters: CursorCounters;
}

const nothing: CursorCounters = {
  published: 0,
  delivered: 0,
  parked: 0,
  filtered: 0,
  expired: { gone: 0, retention: 0 },
};

export const cursorAt = (next: number): CursorPosition => ({ epoch: 1, next, open: [], counters: nothing });

/** The first attempt at a matching event begins, and it is given its number; events begin in the order of their offsets. */
export function begin(cursor: CursorPosition, offset: number, at: Millis): CursorPosition {
  if (offset < cursor.next) throw new Error(`Offset ${offset} is below the cursor, which stands at ${cursor.next}.`);
  const published = cursor.counters.published + 1;
  const delivery = { offset, sequence: published, attempts: 0, dueAt: at, waitMs: 0 };
  const counters = { ...cursor.counters, published };
  return { epoch: cursor.epoch, next: offset + 1, open: [...cursor.open, delivery], counters };
}

export interface Postponed {
  readonly dueAt: Millis;
  readonly waitMs: Millis;
}

export const postponed = (delivery: OpenDelivery, { dueAt, waitMs }: Postponed): OpenDelivery => ({
  ...delivery,
  attempts: delivery.attempts + 1,
  dueAt,
  waitMs,
});

/** An attempt failed; the next one is due at `dueAt`. */
export function postpone(cursor: CursorPosition, offset: number, until: Postponed): CursorPosition {
  const open = cursor.open.map((delivery) => (delivery.offset === offset ? postponed(delivery, until) : delivery));
  return { ...cursor, open };
}

/** It leaves the cursor for a record of its own, unfinished. */
export function setAside(cursor: CursorPosition, offset: number): CursorPosition {
  const index = cursor.open.findIndex((delivery) => delivery.offset === offset);
  if (index === -1) throw new Error(`Offset ${offset} is not open on this cursor.`);
  return { ...cursor, open: cursor.open.toSpliced(index, 1) };
}

/** One that is open on the cursor itself is accounted for. */
export function finish(cursor: CursorPosition, offset: number, as: Finish): CursorPosition {
  return counted(setAside(cursor, offset), as);
}

/** One with a record of its own is accounted for. */
export function counted({ epoch, next, open, counters }: CursorPosition, as: Finish): CursorPosition {
  if (as === 'gone' || as === 'overtaken' || as === 'deleted')
    return { epoch, next, open, counters: { ...counters, expired: moreExpired(counters, as, 1) } };
  return { epoch, next, open, counters: { ...counters, [as]: counters[as] + 1 } };
}

const expiredAs = { gone: 'gone', overtaken: 'retention', deleted: 'deleted' } as const;

function moreExpired({ expired }: CursorCounters, as: Expired, count: number): CursorCounters['expired'] {
  const reason = expiredAs[as];
  return { ...expired, [reason]: (expired[reason] ?? 0) + count };
}

/** Matching events below `next` that never began are given up: each is given its number, and is expired. */
export function overtaken(
  cursor: CursorPosition,
  { count, next, as = 'overtaken' }: { readonly count: number; readonly next: number; readonly as?: Expired },
): CursorPosition {
  const { counters } = cursor;
  const expired = moreExpired(counters, as, count);
  return {
    epoch: cursor.epoch,
    next: Math.max(cursor.next, next),
    open: cursor.open,
    counters: { ...counters, published: counters.published + count, expired },
  };
}

/** All that is accounted for. */
export const finishedOf = ({ delivered, parked, filtered, expired }: CursorCounters): number =>
  delivered + parked + filtered + expired.gone + expired.retention + (expired.deleted ?? 0);

/** How a matching event below the mark, or anywhere on the log, stands with this cursor. */
export function standing(
  cursor: Pick<CursorPosition, 'next' | 'open'> & { readonly behindFrom: number | null },
  offset: number,
  mark: number,
): 'finished' | 'open' | 'waiting' {
  if (cursor.open.some((delivery) => delivery.offset === offset)) return 'open';
  if (offset < cursor.next) return 'finished';
  const waits = offset >= mark || (cursor.behindFrom !== null && offset >= cursor.behindFrom);
  return waits ? 'waiting' : 'finished';
}

/** The record's data. `unreadFrom`: the first matching event that has not begun, as far as is known; null: none has been seen. */
export function advanced(
  target: { readonly subscriptionId: string; readonly emitterId: string },
  cursor: CursorPosition,
  unreadFrom: number | null,
): DataOf<'CursorAdvanced'> {
  const { subscriptionId, emitterId } = target;
  const { epoch, next, open, counters } = cursor;
  return { subscriptionId, emitterId, epoch, next, open, counters, behindFrom: unreadFrom };
}

/** What an earlier program wrote: it counted what was finished, delivered or not, and gave no numbers. */
export function fromMoved({ next, open, sequence }: DataOf<'CursorMoved'>): CursorPosition {
  const counters = { ...nothing, published: sequence + open.length, delivered: sequence };
  const numbered = open.map((delivery, i) => ({ ...delivery, sequence: sequence + 1 + i, waitMs: retryWaitMaxMs }));
  return { epoch: 1, next, open: numbered, counters };
}

/** When to try again after a restart: a clock that was ahead when it was put down must not hold it up for longer than meant. */
export const dueAfterRestart = ({ dueAt, waitMs }: OpenDelivery, now: Millis): Millis => Math.min(dueAt, now + waitMs);

/** The key on `cursors`. */
export const cursorKey = (subscriptionId: string, emitterId: string): string => `${subscriptionId}/${emitterId}`;

/** And that of a delivery with a record of its own. */
export const waitingKey = (cursor: string, sequence: number): string => `${cursor}/${sequence}`;

/** Whose a key on `cursors` is: a tombstone says nothing else. */
export const subscriptionOfKey = (key: string): string => key.split('/', 1)[0] ?? key;
