// Requests that delivery retries or discards a delivery now: accepted once the request is on the log.
import { setTimeout as delay } from 'node:timers/promises';
import type { DeliveryRequest } from '../../../../domain/delivery/replay/messages.ts';
import { partitionOf } from '../../../../domain/flow.ts';
import { isSourceId } from '../../../../domain/id.ts';
import { eventKey } from '../../../../domain/views/index.ts';
import type { DeliveryState, DeliveryView, SubscriptionView, WebhookView } from '../../../../domain/views/index.ts';
import { positionKey } from '../../../../log/log.ts';
import type { Caller } from '../../control/api-keys.ts';
import type { Parts } from '../../parts/parts.ts';
import { ApiProblem } from '../../http/api-problem.ts';
import { findOwned, readOwned } from '../owned-documents.ts';
import { requestRecord } from '../../commands/request-record.ts';

/** The wait between looks at the views. */
const firstPollMs = 20;
const pollMsMax = 250;

type DeliveryAction = 'retry' | 'discard';
type ActionRequest = Extract<DeliveryRequest, { type: 'DeliveryRetryRequested' | 'DeliveryDiscardRequested' }>;

const requestTypes = { retry: 'DeliveryRetryRequested', discard: 'DeliveryDiscardRequested' } as const;

/** States in which there is nothing to do, with the message of the refusal. */
const refusals: Readonly<Record<DeliveryAction, Partial<Record<DeliveryState, string>>>> = {
  retry: {
    delivered: 'It is delivered: a replay sends it again.',
    discarded: 'It is discarded: a replay sends it again.',
  },
  discard: { delivered: 'It is delivered.' },
};

/** The delivery as shown once the stage has acted, or as before if that takes too long. Throws ApiProblem. */
export async function actOnDelivery(
  parts: Parts<'views' | 'log' | 'limits' | 'ambient'>,
  caller: Caller,
  id: string,
  action: DeliveryAction,
): Promise<DeliveryView> {
  const views = parts.views();
  // Read before the delivery: whatever is newer than these positions, the stage finds on the log.
  const positions = await views.checkpoint();
  const delivery = await readOwned(parts, caller, 'deliveries', id);
  if (action === 'discard' && delivery.state === 'discarded') return delivery;
  await checkActionAllowed(parts, caller, delivery, action);
  const { subscriptionId, emitterId, eventId, channel, attemptCount: attempts } = delivery;
  const event = await views.get('events', eventKey(emitterId, eventId));
  // To discard a parked delivery, its event is not needed.
  if (event === undefined && (action === 'retry' || delivery.state !== 'parked'))
    throw notOpenProblem(`Its event ${eventId} is deleted, or no longer kept.`);
  const partition = partitionOf(emitterId, parts.log.partitions);
  const below = positions[positionKey('deliveries', partition)] ?? 0;
  const channelsBelow = positions[positionKey('channels', partition)] ?? 0;
  const seen = { isParked: delivery.state === 'parked', attempts, below, channelsBelow };
  const offsetField = event === undefined ? {} : { offset: event.version };
  const data = { subscriptionId, emitterId, eventId, channel, ...offsetField, seen };
  await sendRequest(parts, caller, partition, { type: requestTypes[action], data });
  return waitUntilChanged(parts, caller, delivery);
}

async function checkActionAllowed(
  parts: Parts<'views'>,
  caller: Caller,
  delivery: DeliveryView,
  action: DeliveryAction,
): Promise<void> {
  const refusal = refusals[action][delivery.state];
  if (refusal !== undefined) throw notOpenProblem(refusal);
  const { subscriptionId, webhookId } = delivery;
  if (!delivery.attempts.some(({ replayId }) => replayId === undefined))
    throw notOpenProblem('Only replays have tried it: a replay sends it again.');
  if (isSourceId(webhookId) && (action === 'retry' || delivery.state !== 'parked'))
    throw notOpenProblem('Its listener is a source: a replay gives it the event again.');
  const subscription = await findOwned<SubscriptionView>(parts, caller, 'subscriptions', subscriptionId);
  const webhook = await findOwned<WebhookView>(parts, caller, 'webhooks', webhookId);
  if (subscription === undefined || (webhook === undefined && !isSourceId(webhookId)))
    throw notOpenProblem('Its subscription is deleted.');
  if (action === 'retry' && webhook?.active === false)
    throw new ApiProblem(409, 'webhook_inactive', `Webhook ${webhookId} is inactive: nothing is sent to it.`);
}

const notOpenProblem = (message: string): ApiProblem => new ApiProblem(409, 'not_open', message);

async function sendRequest(
  parts: Parts<'log' | 'ambient'>,
  caller: Caller,
  partition: number,
  request: Pick<ActionRequest, 'type' | 'data'>,
): Promise<void> {
  const { ambient, log } = parts;
  const record = requestRecord(ambient, caller, { key: request.data.subscriptionId, ...request });
  await log.request({ topic: 'requests', partition, record });
}

async function waitUntilChanged(
  parts: Parts<'views' | 'limits'>,
  caller: Caller,
  previous: DeliveryView,
): Promise<DeliveryView> {
  const deadline = performance.now() + parts.limits.viewsMs;
  for (let pauseMs = firstPollMs; ; pauseMs = Math.min(pauseMs * 2, pollMsMax)) {
    const current = (await findOwned<DeliveryView>(parts, caller, 'deliveries', previous.webhookMessageId)) ?? previous;
    const hasChanged = current.state !== previous.state || current.attempts.length !== previous.attempts.length;
    if (hasChanged || performance.now() + pauseMs > deadline) return current;
    await delay(pauseMs);
  }
}
