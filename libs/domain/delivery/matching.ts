// Which events a subscription is for.
import type { SubscriptionTriple } from '../listener/messages.ts';

/** `emitterId` of a subscription to every source of its workspace. */
export const everyEmitter = 'dc_*';

/** Without an event name: every channel but the system's own, whose names begin with `$`. */
export function matchesChannel(eventName: string | null, channel: string): boolean {
  return eventName === null ? !channel.startsWith('$') : eventName === channel;
}

/** Whether an event of the subscription's own workspace goes to it. */
export function matches(
  subscription: Pick<SubscriptionTriple, 'emitterId' | 'eventName'>,
  event: { readonly emitterId: string; readonly channel: string },
): boolean {
  const { emitterId, eventName } = subscription;
  return (emitterId === everyEmitter || emitterId === event.emitterId) && matchesChannel(eventName, event.channel);
}
