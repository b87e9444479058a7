// Lists deliveries of a workspace or a subscription, newest event first, even after the subscription was deleted.
import { timeOfEvent } from '../../../../domain/channel/event-id.ts';
import { isId } from '../../../../domain/id.ts';
import { eventOrder } from '../../../../domain/views/index.ts';
import type { DeliveryView, SubscriptionView } from '../../../../domain/views/index.ts';
import type { ViewDocument } from '../../../../view-store/view-store.ts';
import type { Caller } from '../../control/api-keys.ts';
import type { Parts } from '../../parts/parts.ts';
import { chosenFields } from '../../http/answer.ts';
import type { Many } from '../../http/answer.ts';
import { notFound } from '../../http/api-problem.ts';
import { cursorOfId, idOfCursor, isEventId } from '../../http/pages/cursor.ts';
import type { PagingDto } from '../../http/pages/paging.dto.ts';
import { checkId, findOwned } from '../owned.ts';
import { readPageOf } from '../lists/page-reader.ts';
import type { Place } from '../lists/listed.ts';
import type { DeliveryRecord } from './delivery-record.dto.ts';
import { FoundDeliveries, type AskedDeliveries } from './found-deliveries.ts';
import { presentDeliveries, type PresentedFrom } from './present-deliveries.ts';

/** Throws ApiProblem 400. */
export async function listDeliveries(
  parts: PresentedFrom,
  caller: Caller,
  asked: AskedDeliveries,
  paging: PagingDto,
): Promise<Many<DeliveryRecord>> {
  const found = new FoundDeliveries(parts.views(), caller.workspace, asked);
  const { page_info, documents } = await readPageOf(found, { place: placeOf, cursorOf }, paging);
  const shown = await presentDeliveries(
    parts,
    documents.map(({ value }) => value as DeliveryView),
  );
  const { lookedUpTo } = found;
  const side = paging.before ? 'start_cursor' : 'end_cursor';
  return {
    page_info:
      lookedUpTo === undefined
        ? page_info
        : { ...page_info, [side]: cursorOf(lookedUpTo), searched_to_ms: timeOfEvent(eventIdOf(lookedUpTo)) },
    data: shown.map((one) => chosenFields(one, paging)),
  };
}

/** A page of a subscription's parked deliveries, as in the views. Throws ApiProblem 400. */
export async function parkedPage(
  parts: Parts<'views'>,
  { workspace }: Caller,
  subscriptionId: string,
  paging: PagingDto,
): Promise<Pick<Many<DeliveryRecord>, 'page_info'> & { readonly parked: readonly DeliveryView[] }> {
  const found = new FoundDeliveries(parts.views(), workspace, { subscription_id: subscriptionId, state: 'parked' });
  const { page_info, documents } = await readPageOf(found, { place: placeOf, cursorOf }, paging);
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
  const left = new FoundDeliveries(parts.views(), caller.workspace, { subscription_id: subscriptionId });
  if ((await left.count()) === 0) throw notFound();
}

const eventIdOf = ({ value }: ViewDocument): string => (value as DeliveryView).eventId;

const cursorOf = (document: ViewDocument): string => cursorOfId(`${eventIdOf(document)}/${document.id}`);

function placeOf(cursor: string): Place {
  const text = idOfCursor(cursor, (decoded) => {
    const [eventId, id, ...rest] = decoded.split('/');
    return isEventId(eventId ?? '') && isId('msg', id ?? '') && rest.length === 0;
  });
  const [eventId = '', id = ''] = text.split('/');
  return { sort: eventOrder(eventId), id };
}
