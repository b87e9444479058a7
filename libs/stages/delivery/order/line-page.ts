// Finds the events of waiting lines on a page of the log, and their numbers.
import { orderKeyOf } from '../../../domain/delivery/order/order-key.ts';
import type { EmittedRecord } from '../events/buffer.ts';
import type { Line, NumberedOffset } from './line.ts';

/** A part of `channels`: the offsets from `from`, inclusive, to `end`, exclusive. */
export interface LinePage {
  readonly from: number;
  readonly end: number;
  /** All events that the subscription numbers, in order, including those that its filter leaves out. */
  readonly records: readonly EmittedRecord[];
  readonly isLeftOut: (record: EmittedRecord) => boolean;
}

/** The events of one line on a page. */
export interface LinePart {
  readonly line: Line;
  readonly taken: { readonly record: EmittedRecord; readonly sequence: number }[];
  /** Where to continue reading. */
  next: NumberedOffset;
}

export interface PageReading {
  readonly lines: ReadonlyMap<string, Line>;
  readonly pointer: string;
  /** Whether to read for the line. */
  readonly isWanted: (line: Line) => boolean;
  /** Whether the line takes its next event; if not, it continues reading there. Called in the order of the page. */
  readonly canTake: (line: Line, record: EmittedRecord) => boolean;
}

/** The parts of all lines whose next events are on the page; other lines have passed it, or read it later. */
export function partsOf({ from, end, records, isLeftOut }: LinePage, pageReading: PageReading): readonly LinePart[] {
  const { lines, isWanted, canTake } = pageReading;
  const parts = new Map<string, LinePart & { readonly at: NumberedOffset; readonly index: number; isFull: boolean }>();
  for (const line of lines.values()) {
    const at = line.unread;
    if (at === null || at.offset < from || at.offset >= end || !isWanted(line)) continue;
    const index = indexAt(records, at.offset);
    const next = { offset: end, sequence: at.sequence + records.length - index };
    parts.set(line.key, { line, taken: [], next, at, index, isFull: false });
  }
  if (parts.size === 0) return [];
  for (const [i, record] of records.entries()) {
    const { offset } = record;
    const part = parts.get(lineKeyOf(record, pageReading));
    if (part === undefined || offset < part.at.offset || offset > part.line.last) continue;
    if (part.isFull || isLeftOut(record)) continue;
    const sequence = part.at.sequence + i - part.index;
    if (canTake(part.line, record)) part.taken.push({ record, sequence });
    else {
      part.isFull = true;
      part.next = { offset, sequence };
    }
  }
  return [...parts.values()];
}

/** An event that waits under its former key belongs to the line of that key, up to the last event of that line. */
function lineKeyOf({ offset, data }: EmittedRecord, { lines, pointer }: PageReading): string {
  const { key, former } = orderKeyOf(data.event, pointer);
  const line = former === undefined ? undefined : lines.get(former);
  return line === undefined || offset > line.last ? key : line.key;
}

/** The index of the first record at or above `offset`. */
function indexAt(records: readonly EmittedRecord[], offset: number): number {
  let [low, high] = [0, records.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((records[middle]?.offset ?? Infinity) < offset) low = middle + 1;
    else high = middle;
  }
  return low;
}
