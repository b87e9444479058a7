// Finds the cursor of a subscription for an event that the tail brings.
import { cursorAt } from '../../../domain/delivery/cursor.ts';
import type { EmittedEvent } from '../../../domain/channel/messages.ts';
import type { StoredRecord } from '../../../domain/message.ts';
import type { EventBuffer } from '../events/buffer.ts';
import { SubscriptionCursor } from '../cursors/by-key/subscription-cursor.ts';
import { addCursor, type Subscription } from './subscription.ts';
import type { SubscriptionTarget } from '../targets/target.ts';

/** The cursor; undefined: the subscription begins later, still searches its first events, or has no known start. */
export function cursorOf(
  subscription: Subscription,
  { offset, data: { emitterId } }: StoredRecord<EmittedEvent>,
  buffer: EventBuffer,
): SubscriptionCursor | undefined {
  const { base, opening } = subscription;
  const known = subscription.cursors?.get(emitterId);
  if (known !== undefined || opening || base === undefined || offset < base) return known;
  const cursor = newCursor(subscription, emitterId, { next: base, buffer });
  addCursor(subscription, cursor);
  return cursor;
}

/** Creates a cursor on which no event has begun: its first event is at offset `next` or later. */
export function newCursor(
  subscription: SubscriptionTarget,
  emitterId: string,
  { next, buffer }: { readonly next: number; readonly buffer: EventBuffer },
): SubscriptionCursor {
  return new SubscriptionCursor(subscription, emitterId, { position: cursorAt(next), behindFrom: null, buffer });
}
