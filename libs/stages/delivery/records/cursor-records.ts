// The records of `cursors`: where a subscription begins, how far each of its emitters is, and that it has ended.
import { advanced, waitingKey } from '../../../domain/delivery/cursor.ts';
import type { CursorEvent } from '../../../domain/delivery/messages.ts';
import { derivedId } from '../../../domain/id.ts';
import type { LogRecord, Millis } from '../../../domain/message.ts';
import type { EmitterCursor } from '../cursors/emitter-cursor.ts';
import type { Subscription } from '../listeners/subscription.ts';

type Of<Type extends CursorEvent['type']> = Extract<CursorEvent, { type: Type }>;

/** Follows from many events at once, so it begins a chain of its own. */
export function cursorAdvanced(cursor: EmitterCursor, at: Millis): Of<'CursorAdvanced'> {
  const { subscription, emitterId, key } = cursor;
  const target = { subscriptionId: subscription.subscriptionId, emitterId };
  const data = advanced(target, cursor.position, cursor.unreadFrom);
  return { ...chain(cursor, key, data, at), type: 'CursorAdvanced', data };
}

/** What has changed of the deliveries with records of their own, since the last time. */
export function waitingRecords(cursor: EmitterCursor, at: Millis): LogRecord[] {
  const { subscription, emitterId } = cursor;
  const target = { subscriptionId: subscription.subscriptionId, emitterId };
  return Array.from(cursor.aside.takeChanges(), ([sequence, delivery]) => {
    const data = delivery && { ...target, ...delivery };
    return { ...chain(cursor, waitingKey(cursor.key, sequence), data, at), type: 'RetryWaiting', data };
  });
}

function chain({ key: cursorKey, subscription }: EmitterCursor, key: string, data: unknown, at: Millis) {
  const id = derivedId('rec', cursorKey, key, at, JSON.stringify(data) ?? '');
  return { id, version: 1, key, at, workspace: subscription.workspace, correlationId: id, causationId: id };
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
 * Tombstones: nothing is left of the subscription here. The base comes last: with half of a long list on the log the
 * subscription is still known to have one, and the rest is taken away again.
 */
export function cursorsClosed(subscription: Subscription, partition: number, cause: LogRecord): LogRecord[] {
  const { subscriptionId, workspace, cursors } = subscription;
  const keys = [...Array.from(cursors.values()).flatMap(keysOf), subscriptionId];
  return keys.map((key) => ({
    id: derivedId('rec', cause.id, 'closed', partition, key),
    type: 'CursorClosed',
    version: 1,
    key,
    data: undefined,
    at: cause.at,
    workspace,
    correlationId: cause.correlationId,
    causationId: cause.id,
  }));
}

const keysOf = ({ key, aside }: EmitterCursor): string[] => [
  ...Array.from(aside.all(), ({ sequence }) => waitingKey(key, sequence)),
  ...Array.from(aside.takeChanges().keys(), (sequence) => waitingKey(key, sequence)),
  key,
];
