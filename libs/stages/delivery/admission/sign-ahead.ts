// Signs the next event of a strictly ordered cursor while its receiver still handles the current one.
import type { Millis } from '../../../domain/message.ts';
import type { SourceCursor } from '../cursors/source-cursor.ts';
import { sign } from '../targets/request.ts';

/** Does nothing for other cursors: they have several events in flight, and which event is next can change. */
export function signAhead(cursor: SourceCursor, at: Millis): void {
  const { ordered, orderKey, keys } = cursor.subscription.webhook;
  const event = cursor.nextEvent;
  if (!ordered || orderKey !== undefined || event === undefined || keys === undefined) return;
  cursor.signedAhead = sign(event, cursor.subscription, keys, at);
}
