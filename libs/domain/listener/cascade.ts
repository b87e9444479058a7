// Which subscriptions end when their webhook or their emitter goes: one fact says so, and they are gone at once.
import type { Decided } from '../message.ts';
import { removeSubscription } from './listeners.ts';
import type { Listeners } from './listeners.ts';
import type { ListenerEvent, SubscriptionTriple } from './messages.ts';

/** The end of a source is the end of the subscriptions that name it; those to every source go on. */
export function decideEmitterGone(state: Listeners, emitterId: string): readonly Decided<ListenerEvent>[] {
  return state.byEmitter.has(emitterId) ? [{ type: 'EmitterGone', data: { emitterId } }] : [];
}

export interface Ended {
  readonly subscriptionId: string;
  readonly workspace: string;
  readonly triple: SubscriptionTriple;
}

/** Takes out up to `max` of those that have ended with something else, and gives them. */
export function takeEnded(state: Listeners, max: number): readonly Ended[] {
  const taken: Ended[] = [];
  for (const id of state.ended) {
    const listed = state.byWebhook.has(id) ? state.byWebhook : state.byEmitter;
    for (const subscriptionId of listed.get(id)) {
      if (taken.length >= max) return taken;
      const subscription = state.subscriptions.get(subscriptionId);
      removeSubscription(state, subscriptionId);
      if (subscription === undefined) continue;
      const { workspace, triple, requestKey } = subscription;
      if (requestKey !== null && state.requests.get(requestKey)?.id === subscriptionId)
        state.requests.delete(requestKey);
      taken.push({ subscriptionId, workspace, triple });
    }
    state.ended.delete(id);
  }
  return taken;
}

/** After restoring: what still stands and hangs on something that does not. */
export function findEnded(state: Listeners, emitterStands: (emitterId: string) => boolean): void {
  for (const webhookId of state.byWebhook.keys()) if (!state.webhooks.has(webhookId)) state.ended.add(webhookId);
  for (const emitterId of state.byEmitter.keys()) if (!emitterStands(emitterId)) state.ended.add(emitterId);
}
