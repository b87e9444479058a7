// Discards the parked deliveries of a subscription, a page at a time.
import type { DeliveryView } from '../../../../domain/views/index.ts';
import type { Caller } from '../../control/api-keys.ts';
import type { Parts } from '../../parts/parts.ts';
import { selectFields } from '../../http/answer-envelope.ts';
import type { PageAnswer } from '../../http/answer-envelope.ts';
import { ApiProblem } from '../../http/api-problem.ts';
import type { PagingDto } from '../../http/pages/paging.dto.ts';
import { actOnDelivery } from './act-on-delivery.ts';
import type { DeliveryRecord } from './delivery-record.dto.ts';
import { readParkedPage } from './list-deliveries.ts';
import { presentDeliveries } from './present-deliveries.ts';

/** Deliveries that are discarded concurrently: their requests share appends, and others are handled in between. */
const concurrencyMax = 25;

/** Returns the page as it is afterwards: what cannot be discarded stays parked. Throws ApiProblem 400. */
export async function discardParked(
  parts: Parts<'views' | 'log' | 'limits' | 'ambient'>,
  caller: Caller,
  subscriptionId: string,
  paging: PagingDto,
): Promise<PageAnswer<DeliveryRecord>> {
  const { page_info, parked } = await readParkedPage(parts, caller, subscriptionId, paging);
  const results: DeliveryView[] = [];
  for (let from = 0; from < parked.length; from += concurrencyMax) {
    const batch = parked.slice(from, from + concurrencyMax);
    results.push(...(await Promise.all(batch.map((delivery) => tryDiscard(parts, caller, delivery)))));
  }
  const records = await presentDeliveries(parts, results);
  return { page_info, data: records.map((one) => selectFields(one, paging)) };
}

async function tryDiscard(
  parts: Parts<'views' | 'log' | 'limits' | 'ambient'>,
  caller: Caller,
  delivery: DeliveryView,
): Promise<DeliveryView> {
  try {
    return await actOnDelivery(parts, caller, delivery.webhookMessageId, 'discard');
  } catch (error) {
    // It has just been delivered, or retention is about to remove it: there is nothing to do.
    if (error instanceof ApiProblem && (error.status === 404 || error.status === 409)) return delivery;
    throw error;
  }
}
