// A subscription with its cursors, as the delivery stage follows it.
import type { EmitterCursor } from '../cursors/emitter-cursor.ts';
import type { SubscriptionTarget } from './target.ts';

export interface Subscription extends SubscriptionTarget {
  /** Where emitters without a cursor begin; undefined: not known, so nothing may be delivered. */
  base: number | undefined;
  /** It stands on `cursors` too, as earlier programs wrote it. */
  isBaseRecorded: boolean;
  /** By emitter id; most subscriptions wait for their first event, and have none. */
  cursors: Map<string, EmitterCursor> | undefined;
}

export const cursorsOf = ({ cursors }: Subscription): Iterable<EmitterCursor> => cursors?.values() ?? [];

export function placeCursor(subscription: Subscription, cursor: EmitterCursor): void {
  subscription.cursors ??= new Map();
  subscription.cursors.set(cursor.emitterId, cursor);
}
