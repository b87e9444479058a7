// Deliveries as the API shows them: no attempt is due if its webhook is inactive, or its subscription or replay over.
import { partitionOf } from '../../../../domain/flow.ts';
import type { DeliveryView, ReplayView, WebhookView } from '../../../../domain/views/index.ts';
import type { ViewBuild, ViewDocument } from '../../../../view-store/view-store.ts';
import type { Parts } from '../../parts/parts.ts';
import type { DeliveryRecord } from './delivery-record.dto.ts';
import { presentDelivery } from './delivery.presenter.ts';

/** The parts that presenting needs. */
export type PresenterParts = Parts<'views'> & { readonly log: Pick<Parts<'log'>['log'], 'partitions'> };

export async function presentDeliveries(
  parts: PresenterParts,
  deliveries: readonly DeliveryView[],
): Promise<readonly DeliveryRecord[]> {
  const { partitions } = parts.log;
  const due = deliveries.filter(({ nextAttemptAt }) => nextAttemptAt !== null);
  const subscriptions = await readById(parts.views(), 'subscriptions', due.map(subscriptionOf));
  const webhooks = await readById(
    parts.views(),
    'webhooks',
    due.map(({ webhookId }) => webhookId),
  );
  const replays = await readById(
    parts.views(),
    'replays',
    due.flatMap((one) => replayIds(one, partitions)),
  );
  const isDue = (one: DeliveryView): boolean => {
    if (!subscriptions.has(subscriptionOf(one))) return false;
    if (isInactive(webhooks.get(one.webhookId)?.value as WebhookView | undefined)) return false;
    const ids = replayIds(one, partitions);
    const replay = ids
      .map((id) => replays.get(id)?.value as ReplayView | undefined)
      .find((found) => found !== undefined);
    return ids.length === 0 || replay?.endedAt === null;
  };
  const shownAsDue = new Set(due.filter(isDue));
  return deliveries.map((one) => presentDelivery(shownAsDue.has(one) ? one : { ...one, nextAttemptAt: null }));
}

/** Nothing is sent to an inactive webhook until somebody activates it: it is paused, or its receiver answered 410. */
export const isInactive = (webhook: WebhookView | undefined): boolean => webhook?.active === false;

const subscriptionOf = ({ subscriptionId }: DeliveryView): string => subscriptionId;

/** Ids of the replay's part and the replay if only this has tried the delivery; otherwise empty. */
function replayIds({ emitterId, attempts }: DeliveryView, partitions: number): readonly string[] {
  const replayId = attempts.at(-1)?.replayId;
  if (replayId === undefined || attempts.some((attempt) => attempt.replayId === undefined)) return [];
  return [`${replayId}/${partitionOf(emitterId, partitions)}`, replayId];
}

/** The documents by id. */
async function readById(
  views: Pick<ViewBuild, 'getMany'>,
  view: string,
  requestedIds: readonly string[],
): Promise<ReadonlyMap<string, ViewDocument>> {
  const ids = [...new Set(requestedIds)];
  const documents = ids.length === 0 ? [] : await views.getMany(view, ids);
  return new Map(documents.flatMap((document) => (document === undefined ? [] : [[document.id, document] as const])));
}
