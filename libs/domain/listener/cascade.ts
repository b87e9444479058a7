// Ends the subscriptions of a deleted listener or source: one event ends all of them at once.
import { isSourceId } from '../id.ts';
import type { Decided } from '../message.ts';
import { removeSubscription } from './listeners.ts';
import type { Listeners } from './listeners.ts';
import type { ListenerEvent, SubscriptionTriple } from './messages.ts';

/** A deleted source ends the subscriptions that name it as source or listener; those to every source continue. */
export function decideSourceDeleted(state: Listeners, sourceId: string): readonly Decided<ListenerEvent>[] {
  const events: Decided<ListenerEvent>[] = [];
  if (state.byEmitter.has(sourceId)) events.push({ type: 'EmitterGone', data: { emitterId: sourceId } });
  if (state.byListener.has(sourceId)) events.push({ type: 'ListenerGone', data: { listenerId: sourceId } });
  return events;
}

export interface EndedSubscription {
  readonly subscriptionId: string;
  readonly workspace: string;
  readonly triple: SubscriptionTriple;
}

/** Removes and returns up to `max` subscriptions that ended with their listener or source. */
export function removeEnded(state: Listeners, max: number): readonly EndedSubscription[] {
  const removed: EndedSubscription[] = [];
  for (const id of state.ended) {
    for (const subscriptionId of subscriptionsOf(state, id)) {
      if (removed.length >= max) return removed;
      const subscription = state.subscriptions.get(subscriptionId);
      removeSubscription(state, subscriptionId);
      if (subscription === undefined) continue;
      const { workspace, triple, requestKey } = subscription;
      if (requestKey !== null && state.requests.get(requestKey)?.id === subscriptionId)
        state.requests.delete(requestKey);
      removed.push({ subscriptionId, workspace, triple });
    }
    state.ended.delete(id);
  }
  return removed;
}

function* subscriptionsOf({ byListener, byEmitter }: Listeners, id: string): Generator<string> {
  yield* byListener.get(id);
  yield* byEmitter.get(id);
}

/** Finds subscriptions whose listener or source no longer exists; to be called after restoring. */
export function findEnded(state: Listeners, sourceExists: (sourceId: string) => boolean): void {
  for (const id of state.byListener.keys())
    if (!(isSourceId(id) ? sourceExists(id) : state.webhooks.has(id))) state.ended.add(id);
  for (const emitterId of state.byEmitter.keys()) if (!sourceExists(emitterId)) state.ended.add(emitterId);
}
