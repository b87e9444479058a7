// A subscription with its cursors, as the delivery stage follows it.
import type { EmitterCursor } from '../cursors/emitter-cursor.ts';
import type { OwnCursor } from '../order/own-cursor.ts';
import type { SubscriptionTarget } from './target.ts';

export interface Subscription extends SubscriptionTarget {
  /** The offset at which emitters without a cursor begin; undefined: unknown, so nothing may be delivered. */
  base: number | undefined;
  /** Whether `cursors` has a record of the base too, which earlier programs wrote. */
  isBaseRecorded: boolean;
  /** By emitter id; undefined until the first event, as in most subscriptions. */
  cursors: Map<string, OwnCursor> | undefined;
  /** Cursors of replays that have begun; undefined: there are none, as in most subscriptions. */
  replays: Set<EmitterCursor> | undefined;
}

export const cursorsOf = ({ cursors }: Subscription): Iterable<OwnCursor> => cursors?.values() ?? [];

export function placeCursor(subscription: Subscription, cursor: OwnCursor): void {
  subscription.cursors ??= new Map();
  subscription.cursors.set(cursor.emitterId, cursor);
}
