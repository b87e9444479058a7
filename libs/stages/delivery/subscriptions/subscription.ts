// A subscription with its cursors, as the delivery stage follows it.
import type { SourceCursor } from '../cursors/source-cursor.ts';
import type { SubscriptionCursor } from '../cursors/by-key/subscription-cursor.ts';
import type { SubscriptionTarget } from '../targets/target.ts';

export interface Subscription extends SubscriptionTarget {
  /** The offset at which sources without a cursor begin; undefined: unknown, so nothing can be delivered. */
  base: number | undefined;
  /** Whether `cursors` also has a record of the base, which earlier versions wrote. */
  isBaseRecorded: boolean;
  /** The recorded progress of the search for its first events; undefined: there is no record, or the search is over. */
  searchedTo: number | undefined;
  /** By source id; undefined until the first event, as in most subscriptions. */
  cursors: Map<string, SubscriptionCursor> | undefined;
  /** Cursors of replays that have begun; undefined: there are none, as in most subscriptions. */
  replays: Set<SourceCursor> | undefined;
  replayedBelow: number | undefined;
}

export const cursorsOf = ({ cursors }: Subscription): Iterable<SubscriptionCursor> => cursors?.values() ?? [];

export function addCursor(subscription: Subscription, cursor: SubscriptionCursor): void {
  subscription.cursors ??= new Map();
  subscription.cursors.set(cursor.emitterId, cursor);
}

/** Logs that nothing is delivered: a guessed start would lose events or repeat all of them. */
export function logMissingBase(subscription: Subscription, logError: (message: string, details: object) => void): void {
  const { subscriptionId, workspace } = subscription;
  subscription.cursors = undefined;
  logError('A subscription does not say where it begins: nothing is delivered to it.', { subscriptionId, workspace });
}
