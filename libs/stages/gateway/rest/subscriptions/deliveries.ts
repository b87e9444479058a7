// The deliveries of one subscription, newest event first, even after the subscription was deleted.
import { isId } from '../../../../domain/id.ts';
import { eventOrder } from '../../../../domain/views/index.ts';
import type { DeliveryView, SubscriptionView } from '../../../../domain/views/index.ts';
import type { Caller } from '../../control/api-keys.ts';
import type { Gateway } from '../../gateway.ts';
import { chosenFields } from '../../http/answer.ts';
import type { Many } from '../../http/answer.ts';
import { notFound } from '../../http/api-problem.ts';
import { cursorOfId, idOfCursor, isEventId } from '../../http/cursor.ts';
import { checkId, findOwned } from '../owned.ts';
import { readPage } from '../page-reader.ts';
import type { Place } from '../page-reader.ts';
import type { DeliveriesDto } from './deliveries.dto.ts';
import { presentDelivery } from './delivery.presenter.ts';
import type { DeliveryRecord } from './delivery-record.dto.ts';

export async function listDeliveries(
  gateway: Gateway,
  caller: Caller,
  subscriptionId: string,
  input: DeliveriesDto,
): Promise<Many<DeliveryRecord>> {
  checkId('sub', subscriptionId);
  await checkOwner(gateway, caller, subscriptionId);
  const { state } = input;
  const list = {
    view: 'deliveries',
    ...(state
      ? { index: 'byState', equals: [subscriptionId, state] }
      : { index: 'bySubscription', equals: [subscriptionId] }),
    place: (cursor: string) => placeOf(subscriptionId, cursor),
    cursorOf: ({ id }: { readonly id: string }) => cursorOfId(id),
  };
  const { page_info, documents } = await readPage(gateway.views(), list, input);
  return { page_info, data: documents.map(({ value }) => chosenFields(presentDelivery(value as DeliveryView), input)) };
}

/** A deleted subscription's deliveries stay, and tell who owned it. */
async function checkOwner(gateway: Gateway, caller: Caller, subscriptionId: string): Promise<void> {
  const live = await findOwned<SubscriptionView>(gateway, caller, 'subscriptions', subscriptionId);
  if (live !== undefined || gateway.deleted.find(subscriptionId)?.workspace === caller.workspace) return;
  const anyOne = { index: 'bySubscription', equals: [subscriptionId], order: 'descending', limit: 1 } as const;
  const [left] = await gateway.views().find('deliveries', anyOne);
  if ((left?.value as DeliveryView | undefined)?.workspace !== caller.workspace) throw notFound();
}

/** A delivery's document id is `subscription/emitter/event`; the event's id gives its place in the list. */
function placeOf(subscriptionId: string, cursor: string): Place {
  const id = idOfCursor(cursor, (text) => {
    const [subscription, emitter, event, ...rest] = text.split('/');
    return subscription === subscriptionId && isId('dc', emitter ?? '') && isEventId(event ?? '') && rest.length === 0;
  });
  return { sort: eventOrder(id.split('/').at(-1) ?? ''), id };
}
