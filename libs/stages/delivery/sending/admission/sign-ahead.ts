// Signs an ordered cursor's next event while its receiver is at work on the current one.
import type { Millis } from '../../../../domain/message.ts';
import type { EmitterCursor } from '../../cursors/emitter-cursor.ts';
import { sign } from '../request.ts';

export function signAhead(cursor: EmitterCursor, now: Millis): void {
  const { webhook } = cursor.subscription;
  const event = cursor.upNext;
  if (!webhook.ordered || event === undefined || webhook.keys === undefined) return;
  cursor.signedAhead = sign(event, cursor.subscription, webhook.keys, now);
}
