// The record of a cursor's place: on `cursors`, or on `replays` for a replay's cursor.
import { unparked } from '../../../domain/delivery/cursor.ts';
import type { Millis } from '../../../domain/message.ts';
import type { OutgoingOn } from '../../../log/log.ts';
import type { EmitterCursor } from '../cursors/emitter-cursor.ts';
import { ReplayCursor } from '../replays/replay-cursor.ts';
import { replayAdvanced } from '../replays/replay.ts';
import { cursorAdvanced } from './cursor-records.ts';

export const positionRecord = (
  cursor: EmitterCursor,
  partition: number,
  at: Millis,
): OutgoingOn<'cursors' | 'replays'> =>
  cursor instanceof ReplayCursor
    ? { topic: 'replays', partition, record: replayAdvanced(cursor.replay, cursor.position, at) }
    : { topic: 'cursors', partition, record: cursorAdvanced(cursor, at) };

/** The subscription's own cursor, if the replay has delivered events that are parked there. */
export function changedBy(cursor: EmitterCursor): EmitterCursor | undefined {
  if (!(cursor instanceof ReplayCursor) || cursor.unparked === 0) return undefined;
  return cursor.own.cursors?.get(cursor.emitterId);
}

/** To be called once, for the append that has the replay's attempts. */
export function changeBy(cursor: EmitterCursor, changed: EmitterCursor): void {
  if (!(cursor instanceof ReplayCursor)) return;
  const { unparked: count } = cursor;
  changed.change((position) => unparked(position, count));
  cursor.unparked = 0;
}
