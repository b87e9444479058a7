// What stands of webhooks and subscriptions, folded from the topic `listeners`.
import type { ListenerEvent, SubscriptionTriple } from './messages.ts';
import type { Creation } from './repeat.ts';

export interface WebhookState extends Creation {
  readonly disabled: boolean;
}

export interface SubscriptionState extends Creation {
  readonly triple: SubscriptionTriple;
}

/** Deleted ones stay as `gone`, so that an id is never made twice. */
export interface Listeners {
  readonly webhooks: Map<string, WebhookState>;
  readonly subscriptions: Map<string, SubscriptionState>;
  /** Ids of the subscriptions that stand, by `tripleKey`, by webhook and by emitter. */
  readonly byTriple: Map<string, string>;
  readonly byWebhook: Map<string, Set<string>>;
  readonly byEmitter: Map<string, Set<string>>;
}

export const noListeners = (): Listeners => ({
  webhooks: new Map(),
  subscriptions: new Map(),
  byTriple: new Map(),
  byWebhook: new Map(),
  byEmitter: new Map(),
});

export const tripleKey = (workspace: string, { emitterId, listenerId, eventName }: SubscriptionTriple): string =>
  JSON.stringify([workspace, emitterId, listenerId, eventName]);

/** Updates `state` in place: a take-over folds every event there is, and copying would make that quadratic. */
export function evolveListeners(state: Listeners, event: ListenerEvent): Listeners {
  switch (event.type) {
    case 'WebhookCreated': {
      const { webhookId, fingerprint } = event.data;
      const { workspace, at } = event;
      state.webhooks.set(webhookId, { workspace, fingerprint, at, gone: false, disabled: false });
      return state;
    }
    case 'WebhookDeleted':
      return changeWebhook(state, event.data.webhookId, { gone: true });
    case 'WebhookDisabled':
      return changeWebhook(state, event.data.webhookId, { disabled: true });
    case 'SubscriptionCreated':
      return addSubscription(state, event);
    case 'SubscriptionDeleted':
      return removeSubscription(state, event.data.subscriptionId);
    default:
      return state;
  }
}

function changeWebhook(state: Listeners, webhookId: string, change: Partial<WebhookState>): Listeners {
  const webhook = state.webhooks.get(webhookId);
  if (webhook !== undefined) state.webhooks.set(webhookId, { ...webhook, ...change });
  return state;
}

function addSubscription(state: Listeners, event: ListenerEvent & { readonly type: 'SubscriptionCreated' }): Listeners {
  const { subscriptionId, emitterId, listenerId, eventName, fingerprint } = event.data;
  const { workspace, at } = event;
  const triple = { emitterId, listenerId, eventName };
  state.subscriptions.set(subscriptionId, { workspace, fingerprint, at, gone: false, triple });
  state.byTriple.set(tripleKey(workspace, triple), subscriptionId);
  addTo(state.byWebhook, listenerId, subscriptionId);
  addTo(state.byEmitter, emitterId, subscriptionId);
  return state;
}

function removeSubscription(state: Listeners, subscriptionId: string): Listeners {
  const subscription = state.subscriptions.get(subscriptionId);
  if (subscription === undefined || subscription.gone) return state;
  const { triple, workspace } = subscription;
  state.subscriptions.set(subscriptionId, { ...subscription, gone: true });
  state.byTriple.delete(tripleKey(workspace, triple));
  removeFrom(state.byWebhook, triple.listenerId, subscriptionId);
  removeFrom(state.byEmitter, triple.emitterId, subscriptionId);
  return state;
}

function addTo(index: Map<string, Set<string>>, name: string, id: string): void {
  const ids = index.get(name) ?? new Set();
  index.set(name, ids.add(id));
}

function removeFrom(index: Map<string, Set<string>>, name: string, id: string): void {
  const ids = index.get(name);
  ids?.delete(id);
  if (ids?.size === 0) index.delete(name);
}

/** A webhook of this workspace that was not deleted; one of another is none. */
export function standingWebhook(state: Listeners, webhookId: string, workspace: string): WebhookState | undefined {
  const webhook = state.webhooks.get(webhookId);
  return webhook !== undefined && !webhook.gone && webhook.workspace === workspace ? webhook : undefined;
}
