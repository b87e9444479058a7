// The webhooks and subscriptions that stand, folded from `listeners`, and who of them an event is for.
import type { ListenerEvent } from '../../../domain/listener/messages.ts';
import { everyEmitter, matchesChannel } from '../../../domain/delivery/matching.ts';
import type { LogRecord } from '../../../domain/message.ts';
import type { Subscription } from './subscription.ts';
import type { WebhookTarget } from './target.ts';

/** What a record of `listeners` means for delivery. */
export type ListenerChange =
  | { readonly kind: 'opened'; readonly subscription: Subscription; readonly channelEnds: readonly number[] }
  | { readonly kind: 'closed'; readonly subscription: Subscription }
  | { readonly kind: 'stopped'; readonly webhook: WebhookTarget }
  /** A subscription to a webhook that does not stand: it cannot be delivered. */
  | { readonly kind: 'orphan'; readonly subscriptionId: string; readonly webhookId: string };

const none: ReadonlySet<Subscription> = new Set();

/** Sets, since one listener or emitter may have many thousands, and all of them may go at once. */
type Index = Map<string, Set<Subscription>>;

export class Registry {
  readonly #webhooks = new Map<string, WebhookTarget>();
  readonly #subscriptions = new Map<string, Subscription>();
  readonly #byEmitter: Index = new Map();
  readonly #byWorkspace: Index = new Map();
  readonly #byWebhook: Index = new Map();

  get subscriptions(): Iterable<Subscription> {
    return this.#subscriptions.values();
  }

  subscription(subscriptionId: string): Subscription | undefined {
    return this.#subscriptions.get(subscriptionId);
  }

  /** Those that go to a webhook. */
  to({ webhookId }: WebhookTarget): Iterable<Subscription> {
    return this.#byWebhook.get(webhookId) ?? none;
  }

  /** Those that an event is for; one of another workspace never is. */
  matching(event: {
    readonly workspace: string;
    readonly emitterId: string;
    readonly channel: string;
  }): Subscription[] {
    const { workspace, emitterId, channel } = event;
    const matching: Subscription[] = [];
    for (const one of this.#byEmitter.get(emitterId) ?? none) {
      if (one.workspace === workspace && matchesChannel(one.eventName, channel)) matching.push(one);
    }
    for (const one of this.#byWorkspace.get(workspace) ?? none) {
      if (matchesChannel(one.eventName, channel)) matching.push(one);
    }
    return matching;
  }

  apply(record: LogRecord): ListenerChange | undefined {
    const event = record as ListenerEvent;
    switch (event.type) {
      case 'WebhookCreated':
        this.#addWebhook(event);
        return undefined;
      case 'WebhookDeleted':
      case 'WebhookDisabled':
        return this.#stop(event.data.webhookId);
      case 'SubscriptionCreated':
        return this.#open(event);
      case 'SubscriptionDeleted':
        return this.#close(event.data.subscriptionId);
      default:
        return undefined;
    }
  }

  #addWebhook({ workspace, data }: Extract<ListenerEvent, { type: 'WebhookCreated' }>): void {
    const { webhookId, url, ordered, retrySchedule, signingKey } = data;
    const target = { webhookId, workspace, url, ordered, retrySchedule, sealedKey: signingKey };
    this.#webhooks.set(webhookId, { ...target, keys: undefined, stopped: false });
  }

  #stop(webhookId: string): ListenerChange | undefined {
    const webhook = this.#webhooks.get(webhookId);
    if (webhook === undefined) return undefined;
    webhook.stopped = true;
    return { kind: 'stopped', webhook };
  }

  #open({ workspace, data }: Extract<ListenerEvent, { type: 'SubscriptionCreated' }>): ListenerChange {
    const { subscriptionId, emitterId, listenerId, eventName, channelEnds } = data;
    const webhook = this.#webhooks.get(listenerId);
    if (webhook === undefined) return { kind: 'orphan', subscriptionId, webhookId: listenerId };
    const subscription: Subscription = {
      subscriptionId,
      emitterId,
      listenerId,
      eventName,
      workspace,
      webhook,
      base: undefined,
      cursors: new Map(),
      closed: false,
    };
    this.#subscriptions.set(subscriptionId, subscription);
    for (const place of this.#placesOf(subscription)) listIn(place, subscription);
    return { kind: 'opened', subscription, channelEnds };
  }

  #close(subscriptionId: string): ListenerChange | undefined {
    const subscription = this.#subscriptions.get(subscriptionId);
    if (subscription === undefined) return undefined;
    subscription.closed = true;
    this.#subscriptions.delete(subscriptionId);
    for (const place of this.#placesOf(subscription)) unlistIn(place, subscription);
    return { kind: 'closed', subscription };
  }

  #placesOf({ emitterId, workspace, listenerId }: Subscription): readonly Place[] {
    const byEvent: Place = emitterId === everyEmitter ? [this.#byWorkspace, workspace] : [this.#byEmitter, emitterId];
    return [byEvent, [this.#byWebhook, listenerId]];
  }
}

type Place = readonly [index: Index, key: string];

function listIn([index, key]: Place, subscription: Subscription): void {
  const listed = index.get(key);
  if (listed === undefined) index.set(key, new Set([subscription]));
  else listed.add(subscription);
}

function unlistIn([index, key]: Place, subscription: Subscription): void {
  const listed = index.get(key);
  listed?.delete(subscription);
  if (listed?.size === 0) index.delete(key);
}
