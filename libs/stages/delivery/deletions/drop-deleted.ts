// Ends the delivery of an event that was deleted after an attempt failed: makes no further attempt, and records that.
import type { SourceCursor } from '../cursors/source-cursor.ts';
import type { BufferedEvent } from '../events/buffer.ts';
import { droppedLate, withoutAnswerBytes } from '../records/attempt-records.ts';
import type { SettlingOptions } from '../settling/settling.ts';

type DropOptions = Pick<SettlingOptions, 'ambient' | 'outbox' | 'blocked'>;

/** Call for an event that is open on the cursor. */
export function dropDeleted(cursor: SourceCursor, event: BufferedEvent, options: DropOptions): void {
  const { ambient, outbox, blocked } = options;
  const attempts = cursor.attemptsAt(event.offset) ?? 0;
  blocked.noteEnded({ cursor, event });
  // An attempt in flight is recorded when it ends.
  if (cursor.inFlight?.has(event.offset) === true) (cursor.discarded ??= new Set()).add(event.offset);
  cursor.finish(event.offset, 'deleted');
  if (attempts === 0 || cursor.replayId !== undefined) outbox.touch(cursor);
  else {
    const dropped = droppedLate({ cursor, event, attempts, by: 'deletion' }, ambient.now());
    outbox.complete(cursor, [dropped], withoutAnswerBytes);
  }
}
