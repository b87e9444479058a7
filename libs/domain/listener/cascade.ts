// Which subscriptions end when their webhook or their emitter goes.
import type { Decided } from '../message.ts';
import type { Listeners } from './listeners.ts';
import type { ListenerEvent } from './messages.ts';

/** The end of a source is the end of the subscriptions that name it; those to every source go on. */
export function decideEmitterGone(state: Listeners, emitterId: string): readonly Decided<ListenerEvent>[] {
  return endSubscriptions(state, state.byEmitter.get(emitterId));
}

export function endSubscriptions(
  state: Listeners,
  subscriptionIds: ReadonlySet<string> | undefined,
): readonly Decided<ListenerEvent>[] {
  return [...(subscriptionIds ?? [])].flatMap((subscriptionId) => {
    const triple = state.subscriptions.get(subscriptionId)?.triple;
    return triple === undefined ? [] : [{ type: 'SubscriptionDeleted', data: { ...triple, subscriptionId } } as const];
  });
}
