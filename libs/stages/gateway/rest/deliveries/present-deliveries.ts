// Deliveries as the API shows them: no attempt is due once their subscription is deleted, which no record of theirs says.
import type { DeliveryView } from '../../../../domain/views/index.ts';
import type { ViewBuild } from '../../../../view-store/view-store.ts';
import type { DeliveryRecord } from './delivery-record.dto.ts';
import { presentDelivery } from './delivery.presenter.ts';

export async function presentDeliveries(
  views: Pick<ViewBuild, 'getMany'>,
  deliveries: readonly DeliveryView[],
): Promise<readonly DeliveryRecord[]> {
  const due = deliveries.filter(({ nextAttemptAt }) => nextAttemptAt !== null);
  const ids = [...new Set(due.map(({ subscriptionId }) => subscriptionId))];
  const found = ids.length === 0 ? [] : await views.getMany('subscriptions', ids);
  const standing = new Set(ids.filter((_id, at) => found[at] !== undefined));
  return deliveries.map((delivery) =>
    presentDelivery(standing.has(delivery.subscriptionId) ? delivery : { ...delivery, nextAttemptAt: null }),
  );
}
