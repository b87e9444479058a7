// The current webhooks and subscriptions, folded from the topic `listeners`.
import type { FilterDefinition, SubscriptionDefinition, WebhookDefinition } from './definition/messages.ts';
import {
  updateRequest,
  recordRequest,
  madeByOf,
  noRequests,
  restoreMadeBy,
  restoreRequest,
  requestFromMadeBy,
} from '../definition/recorded-requests.ts';
import type { RecordedRequests } from '../definition/recorded-requests.ts';
import { withFilter, type FilterVersion } from '../delivery/filter/filter-history.ts';
import type { Decided, LogRecord, Millis } from '../message.ts';
import { Multimap } from './multimap.ts';
import type { ListenerEvent, SubscriptionTriple } from './messages.ts';
import { applyWebhookChanges } from './webhook/webhook-changes.ts';
import { keyRequests, withNewSigningKey } from './webhook/key-renewal.ts';
import type { KeyRenewal } from './webhook/key-renewal.ts';
import { overlapBounds } from './webhook/settings.ts';

interface CreationFields {
  readonly workspace: string;
  readonly createdAt: Millis;
  /** The key of the request that created it; null: the request had no Idempotency-Key. */
  readonly requestKey: string | null;
}

export type WebhookState = CreationFields & Omit<Decided<WebhookDefinition>['data'], 'webhookId' | 'madeBy'>;

export interface SubscriptionState extends CreationFields {
  readonly triple: SubscriptionTriple;
}

export interface Listeners {
  readonly webhooks: Map<string, WebhookState>;
  readonly subscriptions: Map<string, SubscriptionState>;
  /** Ids of the existing subscriptions, by `tripleKey`, by listener and by source. */
  readonly byTriple: Map<string, string>;
  readonly byListener: Multimap<string>;
  readonly byEmitter: Multimap<string>;
  /** Deleted webhooks and sources, some of whose ended subscriptions have not been removed yet. */
  readonly ended: Set<string>;
  /** The filters of each subscription that has had any, in order; kept until the subscription's end is recorded. */
  readonly filters: Map<string, readonly FilterVersion[]>;
  readonly requests: RecordedRequests;
}

export const noListeners = (requests = noRequests()): Listeners => ({
  webhooks: new Map(),
  subscriptions: new Map(),
  byTriple: new Map(),
  byListener: new Multimap(),
  byEmitter: new Multimap(),
  ended: new Set(),
  filters: new Map(),
  requests,
});

export const tripleKey = (workspace: string, { emitterId, listenerId, eventName }: SubscriptionTriple): string =>
  JSON.stringify([workspace, emitterId, listenerId, eventName]);

/** Updates `state` in place, because it can hold a hundred thousand listeners. */
export function evolveListeners(state: Listeners, event: ListenerEvent): Listeners {
  switch (event.type) {
    case 'WebhookCreated': {
      const { workspace, at } = event;
      const { webhookId: id, fingerprint: _repeatable, requestKey: _key, ...webhook } = event.data;
      const requestKey = recordRequest(state.requests, { workspace, id, at, request: event.data });
      state.webhooks.set(id, { ...webhook, workspace, createdAt: at, requestKey, disabled: false });
      return state;
    }
    case 'WebhookUpdated': {
      const { webhookId, ...changes } = event.data;
      const webhook = state.webhooks.get(webhookId);
      if (webhook === undefined) return state;
      state.webhooks.set(webhookId, applyWebhookChanges(webhook, changes, event.at));
      const { newKey } = changes;
      return newKey === undefined ? state : renewKey(state, webhookId, { newKey, at: event.at, madeBy: null });
    }
    case 'WebhookKeyRegenerated': {
      const { workspace, at, data } = event;
      const { webhookId: id, signingKey, publicKey, overlapMs } = data;
      const newKey = { signingKey, ...(publicKey === undefined ? {} : { publicKey }) };
      const requestKey = recordRequest(state.requests, { workspace, id, at, request: data });
      return renewKey(state, id, { newKey, at, overlapMs, madeBy: madeByOf(state.requests, requestKey, id) });
    }
    case 'WebhookDeleted':
      return removeWebhook(state, event.data.webhookId);
    case 'WebhookDisabled':
      return disableWebhook(state, event.data.webhookId);
    case 'SubscriptionCreated': {
      const { workspace, at, data } = event;
      const { subscriptionId: id, emitterId, listenerId, eventName } = data;
      const requestKey = recordRequest(state.requests, { workspace, id, at, request: data });
      const triple = { emitterId, listenerId, eventName };
      const { filter = null, transform } = data;
      const initialFilter = { channelEnds: [], filter, ...(transform === undefined ? {} : { transform }) };
      if (filter !== null || transform !== undefined) state.filters.set(id, [initialFilter]);
      return addSubscription(state, id, { workspace, createdAt: at, requestKey, triple });
    }
    case 'SubscriptionUpdated': {
      const { subscriptionId, ...change } = event.data;
      state.filters.set(subscriptionId, withFilter(state.filters.get(subscriptionId) ?? [], change));
      return state;
    }
    case 'EmitterGone':
      return endSubscriptions(state, event.data.emitterId, state.byEmitter);
    case 'ListenerGone':
      return endSubscriptions(state, event.data.listenerId, state.byListener);
    case 'SubscriptionDeleted':
      return removeSubscription(state, event.data.subscriptionId);
    case 'WebhookCreateRefused':
    case 'WebhookUpdateRefused':
    case 'WebhookKeyRegenerateRefused':
    case 'WebhookDeleteRefused':
    case 'WebhookDisableRefused':
    case 'SubscriptionCreateRefused':
    case 'SubscriptionUpdateRefused':
    case 'SubscriptionDeleteRefused':
      return state;
  }
}

/** Restores a webhook from a definition made by `webhookDefinition`. */
export function restoreWebhook(state: Listeners, { workspace, data }: WebhookDefinition & LogRecord): void {
  const { webhookId: id, madeBy: made, ...webhook } = data;
  for (const one of [...(made === null ? [] : [made]), ...keyRequests(webhook)])
    restoreRequest(state.requests, one.key, requestFromMadeBy(one, { workspace, id }));
  state.webhooks.set(id, { ...webhook, workspace, requestKey: made?.key ?? null });
}

/** The same for each of a subscription's definitions, which differ only in where they begin. */
export function restoreSubscription(state: Listeners, { workspace, data }: SubscriptionDefinition & LogRecord): void {
  const { subscriptionId: id, createdAt, madeBy: made, emitterId, listenerId, eventName } = data;
  const requestKey = restoreMadeBy(state.requests, made, { workspace, id });
  const triple = { emitterId, listenerId, eventName };
  addSubscription(state, id, { workspace, createdAt, requestKey, triple });
}

/** Restores the filters of a subscription. */
export function restoreFilters(state: Listeners, { data }: FilterDefinition & LogRecord): void {
  state.filters.set(data.subscriptionId, data.filters);
}

/** Undefined: there is no such webhook. */
export function webhookDefinition(state: Listeners, webhookId: string): Decided<WebhookDefinition> | undefined {
  const webhook = state.webhooks.get(webhookId);
  if (webhook === undefined) return undefined;
  const { workspace: _envelope, requestKey, ...rest } = webhook;
  return {
    type: 'WebhookDefined',
    data: { webhookId, ...rest, madeBy: madeByOf(state.requests, requestKey, webhookId) },
  };
}

function removeWebhook(state: Listeners, webhookId: string): Listeners {
  const webhook = state.webhooks.get(webhookId);
  if (webhook === undefined) return state;
  state.webhooks.delete(webhookId);
  updateRequest(state.requests, webhook.requestKey, webhookId, { gone: true });
  return endSubscriptions(state, webhookId, state.byListener);
}

function renewKey(
  state: Listeners,
  webhookId: string,
  renewal: Pick<KeyRenewal, 'newKey' | 'at' | 'madeBy'> & Partial<KeyRenewal>,
): Listeners {
  const webhook = state.webhooks.get(webhookId);
  if (webhook === undefined) return state;
  const webhookMadeBy = madeByOf(state.requests, webhook.requestKey, webhookId);
  const overlapMs = overlapBounds.default * 1_000;
  state.webhooks.set(webhookId, withNewSigningKey(webhook, { webhookMadeBy, overlapMs, ...renewal }));
  return state;
}

function disableWebhook(state: Listeners, webhookId: string): Listeners {
  const webhook = state.webhooks.get(webhookId);
  if (webhook !== undefined) state.webhooks.set(webhookId, { ...webhook, disabled: true });
  return state;
}

function addSubscription(state: Listeners, subscriptionId: string, added: SubscriptionState): Listeners {
  const subscription = shareStrings(state, added);
  const { workspace, triple } = subscription;
  state.subscriptions.set(subscriptionId, subscription);
  state.byTriple.set(tripleKey(workspace, triple), subscriptionId);
  state.byListener.add(triple.listenerId, subscriptionId);
  state.byEmitter.add(triple.emitterId, subscriptionId);
  return state;
}

/** Shares strings with another subscription of the listener, so that a hundred thousand need no copies. */
function shareStrings(state: Listeners, subscription: SubscriptionState): SubscriptionState {
  const [otherId = ''] = state.byListener.get(subscription.triple.listenerId);
  const other = state.subscriptions.get(otherId);
  if (other?.workspace !== subscription.workspace) return subscription;
  const { workspace, triple } = other;
  return { ...subscription, workspace, triple: { ...subscription.triple, listenerId: triple.listenerId } };
}

function endSubscriptions(state: Listeners, id: string, subscriptionIds: Listeners['byListener']): Listeners {
  if (subscriptionIds.has(id)) state.ended.add(id);
  return state;
}

export function removeSubscription(state: Listeners, subscriptionId: string): Listeners {
  const subscription = state.subscriptions.get(subscriptionId);
  if (subscription === undefined) return state;
  const { triple, workspace, requestKey } = subscription;
  state.subscriptions.delete(subscriptionId);
  state.byTriple.delete(tripleKey(workspace, triple));
  state.byListener.delete(triple.listenerId, subscriptionId);
  state.byEmitter.delete(triple.emitterId, subscriptionId);
  updateRequest(state.requests, requestKey, subscriptionId, { gone: true });
  return state;
}

/** Undefined for a webhook of another workspace. */
export function findWebhook(state: Listeners, webhookId: string, workspace: string): WebhookState | undefined {
  const webhook = state.webhooks.get(webhookId);
  return webhook?.workspace === workspace ? webhook : undefined;
}
