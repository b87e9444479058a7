// Builds the record on `cursors` of a search for first events: a restart continues it, although the mark has moved on.
import { derivedId } from '../../../domain/id.ts';
import type { Millis } from '../../../domain/message.ts';
import type { MessageOn } from '../../../domain/messages-of.ts';
import { versionOf } from '../../../domain/record/record-version.ts';
import { chainFrom } from '../../../domain/trace/chain.ts';
import type { Subscription } from '../subscriptions/subscription.ts';

/** The key of a search's record; keys of cursors have two parts. */
export const openingKey = (subscriptionId: string): string => `${subscriptionId}/opening/next`;

/** The search's progress up to `searchedTo`; the tombstone if that is undefined. */
export function openingAdvanced(
  { subscriptionId, workspace, searchedTo: next }: Subscription,
  partition: number,
  at: Millis,
): MessageOn<'cursors'> {
  const type = 'OpeningAdvanced';
  const key = openingKey(subscriptionId);
  const data = next === undefined ? undefined : { subscriptionId, next };
  const id = derivedId('rec', key, partition, next ?? 'found');
  return { id, type, version: versionOf({ type, data }), key, data, at, workspace, ...chainFrom(id, 'delivery') };
}
