// Computes how far back on the log a cursor still needs events.
import type { SourceCursor } from './source-cursor.ts';

/** The lowest offset of `channels` that the cursor still needs; Infinity: none. */
export function lowestNeeded(cursor: SourceCursor): number {
  let lowest = cursor.unreadFrom ?? Infinity;
  for (const { offset } of cursor.unfinished()) lowest = Math.min(lowest, offset);
  for (const { first } of cursor.keyOrder?.lines ?? []) lowest = Math.min(lowest, first.offset);
  return lowest;
}
