// Commands and events about webhooks and subscriptions (topics `commands` and `listeners`).
import type { Repeatable } from '../definition/messages.ts';
import type { FilterChange, FiltersNeeded } from '../delivery/filter/filter-history.ts';
import type { ReplayPosition } from '../delivery/replay/position.ts';
import type { JsonObject } from '../json.ts';
import type { MessageOf } from '../message.ts';
import type { Sealed } from '../secrets/sealed.ts';

export interface WebhookSettings {
  readonly url: string;
  readonly name: string | null;
  readonly description: string | null;
  /** True: one attempt in flight per source, in order; false: up to 64 in flight, in any order. */
  readonly ordered: boolean;
  /** Seconds before each retry, replacing the default schedule; null: the default (retry.ts). */
  readonly retrySchedule: readonly number[] | null;
  /** The limit of an attempt in ms, from having a connection to the response's end; absent: as in settings.ts. */
  readonly timeoutMs?: number;
  /** Sent with each attempt; absent: none. */
  readonly headers?: readonly WebhookHeader[];
  /** With `ordered`: an event whose last retry failed is not parked, but keeps the events after it waiting. */
  readonly onExhausted?: 'block';
  /** With `ordered`: a JSON pointer; only events with the same value at it wait for each other (../delivery/order). */
  readonly orderKey?: string;
  /** The most attempts in flight from each delivery process; absent: the service's bounds. */
  readonly maxInFlight?: number;
  /** The most attempts per second from each delivery process; absent: no limit. */
  readonly rateLimit?: number;
}

/** Settings that are absent if they have their default value. */
export type SettingWithDefault = 'timeoutMs' | 'onExhausted' | 'orderKey' | 'maxInFlight' | 'rateLimit';

/** A header in a change: null keeps the header's current value. */
export interface HeaderChange {
  readonly name: string;
  readonly value: Sealed | null;
}

/** `name` is in lower case. */
export interface WebhookHeader {
  readonly name: string;
  readonly value: Sealed;
}

/** Absent fields keep their values. */
export type WebhookChanges = Partial<Omit<WebhookSettings, SettingWithDefault | 'headers'>> & {
  /** Null resets the setting to its default. */
  readonly [Name in SettingWithDefault]?: Exclude<WebhookSettings[Name], undefined> | null;
} & {
  /** The whole list of headers; a value of null keeps that header's value. */
  readonly headers?: readonly HeaderChange[];
  /** False: nothing is sent until it is true again. */
  readonly active?: boolean;
  /** Used only if the webhook's current key is of another kind (HMAC or key pair) than this one. */
  readonly newKey?: NewSigningKey;
};

/** The key that signs from now on: `whsec_...`, or `whsk_...`, the private key of a pair. */
export interface NewSigningKey {
  readonly signingKey: Sealed;
  /** `whpk_...`, the public key of a pair; absent: the key is for HMAC. */
  readonly publicKey?: string;
}

export interface SubscriptionTriple {
  /** `dc_<id>`; `dc_*`, `o_<id>` of the workspace or `u_<id>` of its user for every source of the workspace. */
  readonly emitterId: string;
  /** `wh_<id>`, or `dc_<id>`: a source that runs for each event. */
  readonly listenerId: string;
  /** A channel name; null: every channel but those that begin with `$`. */
  readonly eventName: string | null;
}

/** The filter (../delivery/filter) and transform of a subscription. */
export interface FilterAndTransform {
  /** Absent: all. */
  readonly filter?: JsonObject;
  /** The function that changes the events before they are sent (../delivery/transform); absent: none. */
  readonly transform?: string;
}

/** A place on `channels`. */
export interface PartitionOffset {
  readonly partition: number;
  readonly offset: number;
}

export type ListenerCommand = MessageOf<{
  CreateWebhook: WebhookSettings & Repeatable & NewSigningKey & { readonly webhookId: string; readonly userId: string };
  DeleteWebhook: { readonly webhookId: string };
  UpdateWebhook: WebhookChanges & { readonly webhookId: string };
  /** `overlapMs`: how long the earlier keys continue to sign as well. */
  RegenerateWebhookKey: Repeatable & NewSigningKey & { readonly webhookId: string; readonly overlapMs: number };
  /** Sent by delivery on a 410; `generation`: the webhook's at the beginning of the attempt, 0 if absent. */
  DisableWebhook: { readonly webhookId: string; readonly reason: 'gone'; readonly generation?: number };
  /**
   * `start`: where it begins; absent: now. `startsAt`: the offsets of the start's time, looked up beforehand; absent in
   * commands of earlier versions.
   */
  CreateSubscription: SubscriptionTriple &
    Repeatable &
    FilterAndTransform & {
      readonly subscriptionId: string;
      readonly start?: ReplayPosition;
      readonly startsAt?: readonly PartitionOffset[];
    };
  UpdateSubscription: FilterChange & FiltersNeeded & { readonly subscriptionId: string };
  DeleteSubscription: SubscriptionTriple;
}>;

/** All reasons; the gateway maps each to one HTTP status. */
export type ListenerRefusal =
  /** The same request came before; `existingId` is the thing that it made. The response is a success. */
  | 'repeated'
  /** The Idempotency-Key was used in the last 24 hours for another request, or for a thing that is gone. */
  | 'idempotency_conflict'
  | 'webhook_not_found'
  | 'emitter_not_found'
  /** There is no such source that can be a listener. */
  | 'listener_not_found'
  | 'subscription_not_found'
  /** The webhook was disabled. */
  | 'webhook_disabled'
  /** Its url, or whether it is active, has changed since: the answer of the former receiver no longer counts. */
  | 'webhook_changed'
  /** Another filter would replace one that events still need. */
  | 'filters_needed'
  /** The command on the log cannot be read, or not be carried out; nothing was done. */
  | 'malformed';

interface Refused {
  readonly reason: ListenerRefusal;
  readonly message: string;
  readonly existingId?: string;
}

/** Every command yields at least one of these events, with its correlationId: the outcome. */
export type ListenerEvent = MessageOf<{
  WebhookCreated: WebhookSettings &
    Repeatable &
    NewSigningKey & { readonly webhookId: string; readonly userId: string };
  WebhookCreateRefused: Refused & { readonly webhookId: string };
  WebhookDeleted: { readonly webhookId: string; readonly createdAt?: number };
  WebhookDeleteRefused: Refused & { readonly webhookId: string };
  WebhookUpdated: WebhookChanges & { readonly webhookId: string };
  WebhookUpdateRefused: Refused & { readonly webhookId: string };
  WebhookKeyRegenerated: Repeatable & NewSigningKey & { readonly webhookId: string; readonly overlapMs: number };
  WebhookKeyRegenerateRefused: Refused & { readonly webhookId: string };
  WebhookDisabled: { readonly webhookId: string; readonly reason: 'gone' };
  WebhookDisableRefused: Refused & { readonly webhookId: string };
  /** `channelEnds[p]`: the offset in partition p of `channels` where it begins; if now, the end before this append. */
  SubscriptionCreated: SubscriptionTriple &
    Repeatable &
    FilterAndTransform & { readonly subscriptionId: string; readonly channelEnds: readonly number[] };
  SubscriptionCreateRefused: Refused & { readonly subscriptionId: string };
  /** The new filter or transform; null: none; absent: unchanged. `channelEnds`: from there on; of earlier versions. */
  SubscriptionUpdated: FilterChange & { readonly subscriptionId: string; readonly channelEnds?: readonly number[] };
  SubscriptionUpdateRefused: Refused & { readonly subscriptionId: string };
  /**
   * The source of some subscriptions was deleted, which ends them. There is no event for each of them, and none for
   * those of a deleted webhook.
   */
  EmitterGone: { readonly emitterId: string };
  /** A source that is a listener was deleted, which ends its subscriptions. */
  ListenerGone: { readonly listenerId: string };
  /** Deleted by a command. Earlier versions also wrote one for each subscription of a deleted webhook or source. */
  SubscriptionDeleted: SubscriptionTriple & { readonly subscriptionId: string; readonly createdAt?: number };
  SubscriptionDeleteRefused: Refused & SubscriptionTriple;
}>;
