// A subscription's position in one emitter's events, as pure steps: what begins, what fails, what is finished.
import type { Millis } from '../message.ts';
import type { CursorEvent, OpenDelivery } from './messages.ts';

type CursorMoved = Extract<CursorEvent, { type: 'CursorMoved' }>['data'];

/** At most this many unfinished events below `next`: a cursor must stay a small record. */
export const openMax = 1_024;

/** `open` is in the order of the offsets, and all of it is below `next`. */
export interface CursorPosition {
  readonly next: number;
  readonly open: readonly OpenDelivery[];
  readonly sequence: number;
}

export const cursorAt = (next: number): CursorPosition => ({ next, open: [], sequence: 0 });

/** The first attempt at a matching event begins; events begin in the order of their offsets. */
export function begin(cursor: CursorPosition, offset: number, at: Millis): CursorPosition {
  if (offset < cursor.next) throw new Error(`Offset ${offset} is below the cursor, which stands at ${cursor.next}.`);
  return { next: offset + 1, open: [...cursor.open, { offset, attempts: 0, dueAt: at }], sequence: cursor.sequence };
}

/** An attempt failed; the next one is due at `dueAt`. */
export function postpone(cursor: CursorPosition, offset: number, dueAt: Millis): CursorPosition {
  const open = cursor.open.map((delivery) =>
    delivery.offset === offset ? { offset, attempts: delivery.attempts + 1, dueAt } : delivery,
  );
  return { ...cursor, open };
}

/** Delivered or parked. */
export function finish(cursor: CursorPosition, offset: number): CursorPosition {
  const index = cursor.open.findIndex((delivery) => delivery.offset === offset);
  if (index === -1) throw new Error(`Offset ${offset} is not open on this cursor.`);
  return { next: cursor.next, open: cursor.open.toSpliced(index, 1), sequence: cursor.sequence + 1 };
}

/** How a matching event below the mark, or anywhere on the log, stands with this cursor. */
export function standing(
  cursor: CursorPosition & { readonly behindFrom: number | null },
  offset: number,
  mark: number,
): 'finished' | 'open' | 'waiting' {
  if (cursor.open.some((delivery) => delivery.offset === offset)) return 'open';
  if (offset < cursor.next) return 'finished';
  const waits = offset >= mark || (cursor.behindFrom !== null && offset >= cursor.behindFrom);
  return waits ? 'waiting' : 'finished';
}

/** The record's data. `unreadFrom`: the first matching event that has not begun, as far as is known; null: none has been seen. */
export function moved(
  target: { readonly subscriptionId: string; readonly emitterId: string },
  cursor: CursorPosition,
  unreadFrom: number | null,
): CursorMoved {
  const { subscriptionId, emitterId } = target;
  const { next, open, sequence } = cursor;
  return { subscriptionId, emitterId, next, open, sequence, behindFrom: unreadFrom };
}

/** The key on `cursors`. */
export const cursorKey = (subscriptionId: string, emitterId: string): string => `${subscriptionId}/${emitterId}`;
