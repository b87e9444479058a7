// Decides which events a subscription matches by source and channel.
import { isOwnerId } from '../id.ts';

/** `emitterId` of a subscription to every source of its workspace. */
export const everySource = 'dc_*';

/** Whether a subscription's `emitterId` stands for every source of its workspace: `dc_*`, the workspace, or its user. */
export const isEverySource = (emitterId: string): boolean => emitterId === everySource || isOwnerId(emitterId);

/** Without an event name: every channel but the system's own, whose names begin with `$`. */
export function matchesChannel(eventName: string | null, channel: string): boolean {
  return eventName === null ? !channel.startsWith('$') : eventName === channel;
}

/** Whether the subscription matches an event of its own workspace. */
export function matches(
  subscription: { readonly emitterId: string; readonly eventName: string | null },
  event: { readonly emitterId: string; readonly channel: string },
): boolean {
  const { emitterId, eventName } = subscription;
  return (isEverySource(emitterId) || emitterId === event.emitterId) && matchesChannel(eventName, event.channel);
}
