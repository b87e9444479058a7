// A subscription with its cursors, as the delivery stage follows it.
import type { EmitterCursor } from '../cursors/emitter-cursor.ts';
import type { SubscriptionTarget } from './target.ts';

export interface Subscription extends SubscriptionTarget {
  /** Where emitters without a cursor begin; undefined: not known, so nothing may be delivered. */
  base: number | undefined;
  /** Whether the base is on `cursors` too, where earlier programs wrote it. */
  isBaseRecorded: boolean;
  /** By emitter id; undefined until the first event, as in most subscriptions. */
  cursors: Map<string, EmitterCursor> | undefined;
  /** Of replays that have begun; undefined: there are none, as in most subscriptions. */
  replays: Set<EmitterCursor> | undefined;
}

export const cursorsOf = ({ cursors }: Subscription): Iterable<EmitterCursor> => cursors?.values() ?? [];

export function placeCursor(subscription: Subscription, cursor: EmitterCursor): void {
  subscription.cursors ??= new Map();
  subscription.cursors.set(cursor.emitterId, cursor);
}
