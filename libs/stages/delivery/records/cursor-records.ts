// The records of `cursors`: where a subscription begins, how far each of its emitters is, and that it has ended.
import { moved } from '../../../domain/delivery/cursor.ts';
import type { CursorEvent } from '../../../domain/delivery/messages.ts';
import { derivedId } from '../../../domain/id.ts';
import type { LogRecord, Millis } from '../../../domain/message.ts';
import type { EmitterCursor } from '../cursors/emitter-cursor.ts';
import type { Subscription } from '../listeners/subscription.ts';

type Of<Type extends CursorEvent['type']> = Extract<CursorEvent, { type: Type }>;

/** Follows from many events at once, so it begins a chain of its own. */
export function cursorMoved(cursor: EmitterCursor, at: Millis): Of<'CursorMoved'> {
  const { subscription, emitterId, key } = cursor;
  const target = { subscriptionId: subscription.subscriptionId, emitterId };
  const data = moved(target, cursor.position, cursor.unreadFrom);
  const id = derivedId('rec', key, JSON.stringify(data));
  const { workspace } = subscription;
  return { id, type: 'CursorMoved', version: 1, key, data, at, workspace, correlationId: id, causationId: id };
}

export function baseCursorOpened(
  subscription: Subscription,
  at: { readonly next: number; readonly partition: number },
  cause: LogRecord,
): Of<'BaseCursorOpened'> {
  const { subscriptionId, workspace } = subscription;
  return {
    id: derivedId('rec', cause.id, 'base', at.partition),
    type: 'BaseCursorOpened',
    version: 1,
    key: subscriptionId,
    data: { subscriptionId, next: at.next },
    at: cause.at,
    workspace,
    correlationId: cause.correlationId,
    causationId: cause.id,
  };
}

/**
 * One for each emitter's cursor and one for the base, so that compaction leaves nothing of them but this. The base comes
 * last: with half of a long list on the log the subscription is still known to have one, and the rest is closed again.
 */
export function cursorsClosed(subscription: Subscription, partition: number, cause: LogRecord): Of<'CursorClosed'>[] {
  const { subscriptionId, workspace, cursors } = subscription;
  const keys = [...Array.from(cursors.values(), (cursor) => cursor.key), subscriptionId];
  return keys.map((key) => ({
    id: derivedId('rec', cause.id, 'closed', partition, key),
    type: 'CursorClosed',
    version: 1,
    key,
    data: { subscriptionId },
    at: cause.at,
    workspace,
    correlationId: cause.correlationId,
    causationId: cause.id,
  }));
}
