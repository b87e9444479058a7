// The subscription that a path names, if the caller has it.
import type { SubscriptionView } from '../../../../domain/views/index.ts';
import type { Caller } from '../../control/api-keys.ts';
import type { Parts } from '../../parts/parts.ts';
import { notFound } from '../../http/api-problem.ts';
import { checkId, findOwned } from '../owned.ts';

/**
 * Throws ApiProblem 400 for a text that is no subscription's id, and 404 for a subscription that the workspace does not
 * have.
 */
export async function findSubscription(parts: Parts<'views'>, caller: Caller, id: string): Promise<SubscriptionView> {
  checkId('sub', id);
  const subscription = await findOwned<SubscriptionView>(parts, caller, 'subscriptions', id);
  if (subscription === undefined) throw notFound();
  return subscription;
}
