// Lists deliveries of a workspace or a subscription, newest event first, even after the subscription was deleted.
import { timeOfEvent } from '../../../../domain/channel/event-id.ts';
import { isId } from '../../../../domain/id.ts';
import { eventOrder } from '../../../../domain/views/index.ts';
import type { DeliveryView, SubscriptionView } from '../../../../domain/views/index.ts';
import type { ViewDocument } from '../../../../view-store/view-store.ts';
import type { Caller } from '../../control/api-keys.ts';
import type { Parts } from '../../parts/parts.ts';
import { selectFields } from '../../http/answer-envelope.ts';
import type { PageAnswer } from '../../http/answer-envelope.ts';
import { notFound } from '../../http/api-problem.ts';
import { cursorOfId, idOfCursor, isEventId } from '../../http/pages/cursor.ts';
import type { PagingDto } from '../../http/pages/paging.dto.ts';
import { checkId, findOwned } from '../owned-documents.ts';
import { readPageOf } from '../lists/page-reader.ts';
import type { ListPosition } from '../lists/paged-list.ts';
import type { DeliveryRecord } from './delivery-record.dto.ts';
import { DeliverySearch, type DeliveryFilters } from './delivery-search.ts';
import { presentDeliveries, type PresenterParts } from './present-deliveries.ts';

/** Throws ApiProblem 400. */
export async function listDeliveries(
  parts: PresenterParts,
  caller: Caller,
  filters: DeliveryFilters,
  paging: PagingDto,
): Promise<PageAnswer<DeliveryRecord>> {
  const search = new DeliverySearch(parts.views(), caller.workspace, filters);
  const { page_info, documents } = await readPageOf(search, { positionOfCursor: positionOf, cursorOf }, paging);
  const records = await presentDeliveries(
    parts,
    documents.map(({ value }) => value as DeliveryView),
  );
  const { lastExamined } = search;
  const cursorField = paging.before ? 'start_cursor' : 'end_cursor';
  return {
    page_info:
      lastExamined === undefined
        ? page_info
        : { ...page_info, [cursorField]: cursorOf(lastExamined), searched_to_ms: timeOfEvent(eventIdOf(lastExamined)) },
    data: records.map((one) => selectFields(one, paging)),
  };
}

/** A page of a subscription's parked deliveries, as in the views. Throws ApiProblem 400. */
export async function readParkedPage(
  parts: Parts<'views'>,
  { workspace }: Caller,
  subscriptionId: string,
  paging: PagingDto,
): Promise<Pick<PageAnswer<DeliveryRecord>, 'page_info'> & { readonly parked: readonly DeliveryView[] }> {
  const search = new DeliverySearch(parts.views(), workspace, { subscription_id: subscriptionId, state: 'parked' });
  const { page_info, documents } = await readPageOf(search, { positionOfCursor: positionOf, cursorOf }, paging);
  return { page_info, parked: documents.map(({ value }) => value as DeliveryView) };
}

/** Throws ApiProblem 404 unless it is, or was, a subscription of the caller's workspace. */
export async function checkSubscription(
  parts: Parts<'deleted' | 'views'>,
  caller: Caller,
  subscriptionId: string,
): Promise<void> {
  checkId('sub', subscriptionId);
  const live = await findOwned<SubscriptionView>(parts, caller, 'subscriptions', subscriptionId);
  if (live !== undefined || parts.deleted.find(subscriptionId)?.workspace === caller.workspace) return;
  // The deliveries of a deleted subscription are kept, and show who owned it.
  const search = new DeliverySearch(parts.views(), caller.workspace, { subscription_id: subscriptionId });
  if ((await search.count()) === 0) throw notFound();
}

const eventIdOf = ({ value }: ViewDocument): string => (value as DeliveryView).eventId;

const cursorOf = (document: ViewDocument): string => cursorOfId(`${eventIdOf(document)}/${document.id}`);

function positionOf(cursor: string): ListPosition {
  const text = idOfCursor(cursor, (decoded) => {
    const [eventId, id, ...extra] = decoded.split('/');
    return isEventId(eventId ?? '') && isId('msg', id ?? '') && extra.length === 0;
  });
  const [eventId = '', id = ''] = text.split('/');
  return { sort: eventOrder(eventId), id };
}
