// The record on `cursors` of a search for first events: a restart goes on with it, although the mark has passed its subscription.
import { derivedId } from '../../../domain/id.ts';
import type { Millis } from '../../../domain/message.ts';
import type { MessageOn } from '../../../domain/messages-of.ts';
import { versionOf } from '../../../domain/record/record-version.ts';
import { chainFrom } from '../../../domain/trace/chain.ts';
import type { Subscription } from '../subscriptions/subscription.ts';

/** Keys of cursors have two parts. */
export const openingKey = (subscriptionId: string): string => `${subscriptionId}/opening/next`;

/** As far as `searchedTo` says; the tombstone when that is undefined. */
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
