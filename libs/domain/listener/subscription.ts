// Decides the commands about one subscription.
import { findEarlierRequest, conflictMessage } from '../definition/recorded-requests.ts';
import { everySource } from '../delivery/matching.ts';
import { isOwnerId, isSourceId } from '../id.ts';
import type { Decided } from '../message.ts';
import type { ListenerContext } from './context.ts';
import { findWebhook, tripleKey } from './listeners.ts';
import type { Listeners } from './listeners.ts';
import type { ListenerCommand, ListenerEvent, SubscriptionTriple } from './messages.ts';
import { sourceNotFound, listenerNotFound, webhookDisabled, webhookNotFound } from './refusal.ts';
import type { Refusal } from './refusal.ts';

type Command<Type extends string> = ListenerCommand & { readonly type: Type };

export function createSubscription(
  state: Listeners,
  command: Command<'CreateSubscription'>,
  context: ListenerContext,
): Decided<ListenerEvent> {
  const { subscriptionId } = command.data;
  const refusal =
    refuseRepeated(state, command, context) ??
    refuseMissingParty(state, command, context) ??
    refuseDuplicate(state, command);
  if (refusal !== undefined) return { type: 'SubscriptionCreateRefused', data: { subscriptionId, ...refusal } };
  const { start: _start, ...data } = command.data;
  return { type: 'SubscriptionCreated', data: { ...data, channelEnds: context.channelEnds } };
}

function refuseRepeated(
  state: Listeners,
  { data, workspace }: Command<'CreateSubscription'>,
  { at }: ListenerContext,
): Refusal | undefined {
  const earlier = findEarlierRequest(state.requests, { workspace, id: data.subscriptionId, at, request: data });
  if (earlier === 'conflict' || (earlier === undefined && state.subscriptions.has(data.subscriptionId)))
    return { reason: 'idempotency_conflict', message: conflictMessage };
  if (earlier === undefined) return undefined;
  const message = `The same request has made subscription ${earlier.id} before.`;
  return { reason: 'repeated', message, existingId: earlier.id };
}

function refuseMissingParty(
  state: Listeners,
  { data: { emitterId, listenerId }, workspace }: Command<'CreateSubscription'>,
  context: ListenerContext,
): Refusal | undefined {
  const isSourceListener = isSourceId(listenerId);
  const webhook = isSourceListener ? undefined : findWebhook(state, listenerId, workspace);
  if (isSourceListener && !context.sourceExists(listenerId, 'listener'))
    return { reason: 'listener_not_found', message: listenerNotFound(listenerId) };
  if (!isSourceListener && webhook === undefined)
    return { reason: 'webhook_not_found', message: webhookNotFound(listenerId) };
  if (!emitterExists(emitterId, context)) return { reason: 'emitter_not_found', message: sourceNotFound(emitterId) };
  if (webhook?.disabled === true && webhook.pausedAt === undefined)
    return { reason: 'webhook_disabled', message: webhookDisabled(listenerId) };
  return undefined;
}

function emitterExists(emitterId: string, context: ListenerContext): boolean {
  if (isOwnerId(emitterId)) return context.isOwner(emitterId);
  return emitterId === everySource || context.sourceExists(emitterId);
}

function refuseDuplicate(state: Listeners, { data, workspace }: Command<'CreateSubscription'>): Refusal | undefined {
  const existingId = state.byTriple.get(tripleKey(workspace, data));
  if (existingId === undefined) return undefined;
  const message = `Subscription ${existingId} has the same source, listener and event name.`;
  return { reason: 'repeated', message, existingId };
}

/** Changes the subscription's filter or transform. */
export function updateSubscription(
  state: Listeners,
  { data, workspace }: Command<'UpdateSubscription'>,
): Decided<ListenerEvent> {
  const { neededFrom: _version, neededAt: _places, ...change } = data;
  const { subscriptionId } = change;
  const subscription = state.subscriptions.get(subscriptionId);
  if (subscription?.workspace === workspace && !isEnded(state, subscription.triple))
    return { type: 'SubscriptionUpdated', data: change };
  const message = `There is no subscription ${subscriptionId} in this workspace. List the subscriptions to see which there are.`;
  return { type: 'SubscriptionUpdateRefused', data: { subscriptionId, reason: 'subscription_not_found', message } };
}

const isEnded = ({ ended }: Listeners, { listenerId, emitterId }: SubscriptionTriple): boolean =>
  ended.has(listenerId) || ended.has(emitterId);

export function deleteSubscription(
  state: Listeners,
  { data: { emitterId, listenerId, eventName }, workspace }: Command<'DeleteSubscription'>,
): Decided<ListenerEvent> {
  const triple = { emitterId, listenerId, eventName };
  const subscriptionId = state.byTriple.get(tripleKey(workspace, triple));
  const subscription = subscriptionId === undefined ? undefined : state.subscriptions.get(subscriptionId);
  if (subscriptionId !== undefined && subscription !== undefined && !isEnded(state, triple)) {
    const { createdAt } = subscription;
    return { type: 'SubscriptionDeleted', data: { ...triple, subscriptionId, createdAt } };
  }
  const channel = eventName === null ? 'without an event name' : `with the event name ${JSON.stringify(eventName)}`;
  const message =
    `There is no subscription from ${emitterId} to ${listenerId} ${channel} in this workspace. ` +
    'List the subscriptions to see which there are.';
  return { type: 'SubscriptionDeleteRefused', data: { ...triple, reason: 'subscription_not_found', message } };
}
