// Keeps the defined webhooks and subscriptions, and finds the subscriptions that an event is for.
import type {
  FilterDefinition,
  SubscriptionDefinition,
  WebhookDefinition,
} from '../../../domain/listener/definition/messages.ts';
import { filterKey } from '../../../domain/listener/definition/messages.ts';
import type { NumberedChange } from '../../../domain/channel/messages.ts';
import { newestVersion } from '../../../domain/delivery/filter/filter-history.ts';
import type { PlacedChange } from '../../../domain/delivery/messages.ts';
import { isEverySource, matchesChannel } from '../../../domain/delivery/matching.ts';
import type { MessageOn } from '../../../domain/messages-of.ts';
import { Multimap } from '../../../domain/listener/multimap.ts';
import { isTombstone } from '../../loop/restoring/definitions.ts';
import {
  filtersOf,
  setChangeOffset,
  placedChangesOf,
  type SubscriptionFilters,
} from '../filters/subscription-filters.ts';
import type { Subscription } from './subscription.ts';
import { redefine, undefinedTarget } from './redefine.ts';
import type { Redefined } from './redefine.ts';
import type { WebhookTarget } from '../targets/target.ts';

/** What a definition means for delivery. */
export type ListenerChange =
  | { readonly kind: 'opened'; readonly subscription: Subscription }
  | { readonly kind: 'closed'; readonly subscription: Subscription }
  | ({ readonly kind: 'stopped'; readonly deleted: boolean } & Redefined)
  /** The webhook is defined now, or active again: deliveries that wait for it can start. */
  | ({ readonly kind: 'started' } & Redefined)
  /** The webhook continues with other settings. */
  | ({ readonly kind: 'changed' } & Redefined);

export class Registry {
  readonly #webhooks = new Map<string, WebhookTarget>();
  readonly #subscriptions = new Map<string, Subscription>();
  readonly #byEmitter = new Multimap<Subscription>();
  readonly #byWorkspace = new Multimap<Subscription>();
  readonly #byWebhook = new Multimap<Subscription>();
  /** Filters by `filterKey`; they can be read before their subscription. */
  readonly #filters = new Map<string, SubscriptionFilters>();
  /** Webhooks that subscriptions name but that are not defined yet, or were deleted. */
  readonly #undefinedWebhooks = new Set<string>();

  get subscriptions(): Iterable<Subscription> {
    return this.#subscriptions.values();
  }

  get webhooks(): Iterable<WebhookTarget> {
    return this.#webhooks.values();
  }

  /** False: the webhook was deleted, or its definition has not been read. */
  isDefined(webhookId: string): boolean {
    return this.#webhooks.has(webhookId) && !this.#undefinedWebhooks.has(webhookId);
  }

  subscription(subscriptionId: string): Subscription | undefined {
    return this.#subscriptions.get(subscriptionId);
  }

  /** Undefined: not defined yet, or deleted. */
  webhook(webhookId: string): WebhookTarget | undefined {
    return this.#undefinedWebhooks.has(webhookId) ? undefined : this.#webhooks.get(webhookId);
  }

  /** The subscriptions of a webhook. */
  subscriptionsOf({ webhookId }: WebhookTarget): Iterable<Subscription> {
    return this.#byWebhook.get(webhookId);
  }

  /** The subscriptions that an event is for, all of its own workspace. */
  matching(event: {
    readonly workspace: string;
    readonly emitterId: string;
    readonly channel: string;
  }): Subscription[] {
    const { workspace, emitterId, channel } = event;
    const matching: Subscription[] = [];
    for (const one of this.#byEmitter.get(emitterId)) {
      if (one.workspace === workspace && matchesChannel(one.eventName, channel)) matching.push(one);
    }
    for (const one of this.#byWorkspace.get(workspace)) {
      if (matchesChannel(one.eventName, channel)) matching.push(one);
    }
    return matching;
  }

  /** The subscriptions to any channel of the source. */
  *listeningTo(workspace: string, emitterId: string): Generator<Subscription> {
    for (const one of this.#byEmitter.get(emitterId)) if (one.workspace === workspace) yield one;
    yield* this.#byWorkspace.get(workspace);
  }

  apply(record: MessageOn<'webhooks' | 'subscriptions'>): ListenerChange | undefined {
    switch (record.type) {
      case 'WebhookDefined':
        return isTombstone(record) ? this.#forget(record.key) : this.#define(record);
      case 'SubscriptionDefined':
        return isTombstone(record) ? this.#close(record.key) : this.#open(record);
      case 'FilterDefined':
        return isTombstone(record) ? this.#close(record.key) : this.#setFilters(record);
      case 'DefinitionsFolded':
        return undefined;
    }
  }

  /** Whether the filters of the change have been read; also false if they are deleted. */
  knowsChange({ subscriptionId, version }: NumberedChange): boolean {
    const known = this.#filters.get(filterKey(subscriptionId));
    return known !== undefined && newestVersionOf(known) >= version;
  }

  /** Applies the change from the offset on. Returns all places of the subscription; undefined: nothing is new. */
  placeChange({ subscriptionId, version }: NumberedChange, from: number): readonly PlacedChange[] | undefined {
    const filters = this.#filters.get(filterKey(subscriptionId));
    return filters !== undefined && setChangeOffset(filters, { version, from }) ? placedChangesOf(filters) : undefined;
  }

  #define({ workspace, data }: WebhookDefinition): ListenerChange | undefined {
    const webhook = this.#webhookOf(data.webhookId, workspace);
    this.#undefinedWebhooks.delete(data.webhookId);
    const before = redefine(webhook, { workspace, data });
    if (webhook.stopped) return { kind: 'stopped', webhook, before, deleted: false };
    return { kind: before.stopped ? 'started' : 'changed', webhook, before };
  }

  /** Forgets a deleted webhook. Its subscriptions get nothing from now on; each ends with its own tombstone. */
  #forget(webhookId: string): ListenerChange | undefined {
    const webhook = this.#webhooks.get(webhookId);
    if (webhook === undefined) return undefined;
    webhook.stopped = true;
    this.#undefinedWebhooks.add(webhookId);
    this.#dropUnreferenced(webhookId);
    return { kind: 'stopped', webhook, before: { ...webhook }, deleted: true };
  }

  /** Topics are read concurrently: before its definition and after its tombstone, a webhook gets nothing. */
  #webhookOf(webhookId: string, workspace: string): WebhookTarget {
    const known = this.#webhooks.get(webhookId);
    if (known !== undefined) return known;
    const webhook = undefinedTarget(webhookId, workspace);
    this.#webhooks.set(webhookId, webhook);
    this.#undefinedWebhooks.add(webhookId);
    return webhook;
  }

  #dropUnreferenced(webhookId: string): void {
    if (this.#byWebhook.has(webhookId) || !this.#undefinedWebhooks.delete(webhookId)) return;
    this.#webhooks.delete(webhookId);
  }

  #open({ workspace, data }: SubscriptionDefinition): ListenerChange | undefined {
    const { subscriptionId, emitterId, listenerId, eventName, from } = data;
    if (this.#subscriptions.has(subscriptionId)) return undefined;
    const webhook = this.#webhookOf(listenerId, workspace);
    const subscription: Subscription = {
      subscriptionId,
      emitterId,
      eventName,
      webhook,
      // Shares the webhook's strings, so that a hundred thousand subscriptions hold no copies.
      listenerId: webhook.webhookId,
      workspace: webhook.workspace === workspace ? webhook.workspace : workspace,
      base: from ?? undefined,
      isBaseRecorded: false,
      searchedTo: undefined,
      cursors: undefined,
      replays: undefined,
      replayedBelow: undefined,
      closed: false,
      opening: false,
      filters: this.#filters.get(filterKey(subscriptionId)),
    };
    this.#subscriptions.set(subscriptionId, subscription);
    for (const [index, key] of this.#indexEntriesOf(subscription)) index.add(key, subscription);
    return { kind: 'opened', subscription };
  }

  /** Takes filters. A definition can come again, or after a newer one that was read early. */
  #setFilters({ key, data }: FilterDefinition): undefined {
    const known = this.#filters.get(key) ?? [];
    if (newestVersionOf(known) > newestVersion(data.filters)) return;
    const filters = filtersOf(data, placedChangesOf(known));
    this.#filters.set(key, filters);
    const subscription = this.#subscriptions.get(data.subscriptionId);
    if (subscription !== undefined) subscription.filters = filters;
  }

  /** Closes a subscription. Its filters have a separate tombstone of the same type. */
  #close(subscriptionId: string): ListenerChange | undefined {
    this.#filters.delete(subscriptionId);
    const subscription = this.#subscriptions.get(subscriptionId);
    if (subscription === undefined) return undefined;
    subscription.closed = true;
    this.#subscriptions.delete(subscriptionId);
    for (const [index, key] of this.#indexEntriesOf(subscription)) index.delete(key, subscription);
    this.#dropUnreferenced(subscription.listenerId);
    return { kind: 'closed', subscription };
  }

  #indexEntriesOf({ emitterId, workspace, listenerId }: Subscription): readonly IndexEntry[] {
    const byEvent: IndexEntry = isEverySource(emitterId)
      ? [this.#byWorkspace, workspace]
      : [this.#byEmitter, emitterId];
    return [byEvent, [this.#byWebhook, listenerId]];
  }
}

const newestVersionOf = (filters: SubscriptionFilters): number => Math.max(0, ...filters.map(({ version }) => version));

type IndexEntry = readonly [index: Multimap<Subscription>, key: string];
