// Parks an event, and informs the replays of its subscription: one that delivers it moves it from parked to delivered.
import { recordParked } from '../../../domain/delivery/parked/parked.ts';
import type { BufferedEvent } from '../events/buffer.ts';
import type { SourceCursor } from '../cursors/source-cursor.ts';
import { notifyReplays } from './replay-cursor.ts';
import { timedEvent } from './selecting/selection.ts';

export function park(cursor: SourceCursor, event: BufferedEvent): void {
  const { offset } = event;
  cursor.finish(offset, 'parked');
  // An event that a replay gives up counts only in the replay.
  if (cursor.kind === 'replay') return;
  const parked = timedEvent(event);
  cursor.change((position) => recordParked(position, parked.time));
  notifyReplays(cursor.subscription, { event: parked, offset, isParked: true });
}
