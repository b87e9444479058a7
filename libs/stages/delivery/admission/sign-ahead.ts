// Signs the next event of a strictly ordered cursor while its receiver is at work on the current one.
import type { Millis } from '../../../domain/message.ts';
import type { SourceCursor } from '../cursors/source-cursor.ts';
import { sign } from '../targets/request.ts';

/** In any other order several events are in flight, and which one is next may change. */
export function signAhead(cursor: SourceCursor, at: Millis): void {
  const { ordered, orderKey, keys } = cursor.subscription.webhook;
  const event = cursor.upNext;
  if (!ordered || orderKey !== undefined || event === undefined || keys === undefined) return;
  cursor.signedAhead = sign(event, cursor.subscription, keys, at);
}
