// Builds the record of a cursor's position: on `cursors`, or on `replays` for a replay's cursor.
import { moveToDelivered } from '../../../domain/delivery/parked/parked.ts';
import type { Millis } from '../../../domain/message.ts';
import type { OutgoingOn } from '../../../log/log.ts';
import type { SourceCursor } from '../cursors/source-cursor.ts';
import { ReplayCursor } from '../replay-cursors/replay-cursor.ts';
import { replayAdvanced } from '../replay-cursors/followed-replay.ts';
import { cursorAdvanced } from './cursor-records.ts';

export const positionRecord = (
  cursor: SourceCursor,
  partition: number,
  at: Millis,
): OutgoingOn<'cursors' | 'replays'> =>
  cursor instanceof ReplayCursor
    ? { topic: 'replays', partition, record: replayAdvanced(cursor.replay, cursor.position, at) }
    : { topic: 'cursors', partition, record: cursorAdvanced(cursor, at) };

/** The subscription's own cursors whose parked events a replay has delivered since its last record. */
export function cursorsChangedBy(cursor: SourceCursor): readonly SourceCursor[] {
  if (!(cursor instanceof ReplayCursor) || cursor.unparked.size === 0) return [];
  return Array.from(cursor.unparked.keys(), (emitterId) => cursor.ownSubscription.cursors?.get(emitterId)).filter(
    (changed) => changed !== undefined,
  );
}

/** Updates these cursors; call once, for the append that has the replay's attempts. */
export function applyUnparked(cursor: SourceCursor): void {
  if (!(cursor instanceof ReplayCursor)) return;
  for (const own of cursorsChangedBy(cursor)) {
    const times = cursor.unparked.get(own.emitterId) ?? [];
    own.change((position) => moveToDelivered(position, times));
  }
  cursor.unparked.clear();
}
