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
  /** One in flight per source, in order; false: up to 64 in flight in any order. */
  readonly ordered: boolean;
  /** Seconds before each retry, replacing the default schedule; null: the default (retry.ts). */
  readonly retrySchedule: readonly number[] | null;
  /** How long an attempt may take once it has a connection, with the answer's body; absent: the default (settings.ts). */
  readonly timeoutMs?: number;
  /** Sent with each attempt; absent: none. */
  readonly headers?: readonly FixedHeader[];
  /** With `ordered`: an event past its last retry is not parked, but keeps those behind it waiting. */
  readonly onExhausted?: 'block';
  /** With `ordered`: a JSON pointer; only events in which it finds the same wait for each other (../delivery/order). */
  readonly orderKey?: string;
  /** Attempts in flight from each delivery process; absent: the service's bounds. */
  readonly maxInFlight?: number;
  /** Attempts a second from each delivery process; absent: as many as can be made. */
  readonly rateLimit?: number;
}

/** Settings that are absent where they have their default. */
export type SettingWithDefault = 'timeoutMs' | 'onExhausted' | 'orderKey' | 'maxInFlight' | 'rateLimit';

/** In a change: null keeps the value that the header has. */
export interface AskedHeader {
  readonly name: string;
  readonly value: Sealed | null;
}

/** `name` is in lower case. */
export interface FixedHeader {
  readonly name: string;
  readonly value: Sealed;
}

/** What is absent stays. */
export type WebhookChanges = Partial<Omit<WebhookSettings, SettingWithDefault | 'headers'>> & {
  /** Null: the default again. */
  readonly [Name in SettingWithDefault]?: Exclude<WebhookSettings[Name], undefined> | null;
} & {
  /** All of them; a value of null stays as it is. */
  readonly headers?: readonly AskedHeader[];
  /** False: nothing is sent until it is true again. */
  readonly active?: boolean;
  /** For a webhook that is signed in another way than this key is for. */
  readonly newKey?: NewSigningKey;
};

/** A key to sign with from now on: `whsec_...`, or `whsk_...`, the private key of a pair. */
export interface NewSigningKey {
  readonly signingKey: Sealed;
  /** `whpk_...`, of a pair; absent: the key is for HMAC. */
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

/** Which of its events a subscription wants (../delivery/filter). */
export interface Filtered {
  /** Absent: all. */
  readonly filter?: JsonObject;
  /** What is made of them before they are sent (../delivery/transform); absent: nothing. */
  readonly transform?: string;
}

/** A place on `channels`. */
export interface PartitionPlace {
  readonly partition: number;
  readonly offset: number;
}

export type ListenerCommand = MessageOf<{
  CreateWebhook: WebhookSettings & Repeatable & NewSigningKey & { readonly webhookId: string; readonly userId: string };
  DeleteWebhook: { readonly webhookId: string };
  UpdateWebhook: WebhookChanges & { readonly webhookId: string };
  /** `overlapMs`: how long the keys before it go on signing. */
  RegenerateWebhookKey: Repeatable & NewSigningKey & { readonly webhookId: string; readonly overlapMs: number };
  /** Sent by delivery when the receiver answers 410; `generation`: the webhook's when the attempt began, 0 when absent. */
  DisableWebhook: { readonly webhookId: string; readonly reason: 'gone'; readonly generation?: number };
  /** `start`: where it begins; absent: now. `startsAt`: the places of its time, looked up beforehand; absent: earlier programs did not. */
  CreateSubscription: SubscriptionTriple &
    Repeatable &
    Filtered & {
      readonly subscriptionId: string;
      readonly start?: ReplayPosition;
      readonly startsAt?: readonly PartitionPlace[];
    };
  UpdateSubscription: FilterChange & FiltersNeeded & { readonly subscriptionId: string };
  DeleteSubscription: SubscriptionTriple;
}>;

/** Closed: each maps to one HTTP status in the gateway. */
export type ListenerRefusal =
  /** The same request came before; `existingId` is what it made. Answered as a success. */
  | 'repeated'
  /** The Idempotency-Key was used for another request in the last 24 hours, or what that made is gone. */
  | 'idempotency_conflict'
  | 'webhook_not_found'
  | 'emitter_not_found'
  /** No such source listens. */
  | 'listener_not_found'
  | 'subscription_not_found'
  /** The webhook was disabled. */
  | 'webhook_disabled'
  /** Its url, or whether it is active, has changed since: what is known of the receiver says nothing any more. */
  | 'webhook_changed'
  /** There is room for another filter only in place of one that events still need. */
  | 'filters_needed'
  /** The command on the log cannot be read, or not be carried out; nothing was done. */
  | 'malformed';

interface Refused {
  readonly reason: ListenerRefusal;
  readonly message: string;
  readonly existingId?: string;
}

/** Every command yields at least one of these with its correlationId: that is its outcome. */
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
  /** `channelEnds[p]`: where it begins in `channels` partition p; the end, read before this was appended, if now. */
  SubscriptionCreated: SubscriptionTriple &
    Repeatable &
    Filtered & { readonly subscriptionId: string; readonly channelEnds: readonly number[] };
  SubscriptionCreateRefused: Refused & { readonly subscriptionId: string };
  /** Its filter or transform is this one; null: none; absent: as before. `channelEnds`: from there on, by earlier programs. */
  SubscriptionUpdated: FilterChange & { readonly subscriptionId: string; readonly channelEnds?: readonly number[] };
  SubscriptionUpdateRefused: Refused & { readonly subscriptionId: string };
  /**
   * A source that subscriptions name is gone, and its subscriptions with it. There is no event for each of them, nor
   * for those of a deleted webhook.
   */
  EmitterGone: { readonly emitterId: string };
  /** A source that listens is gone, and its subscriptions with it. */
  ListenerGone: { readonly listenerId: string };
  /** By command. Earlier programs wrote one for each subscription of a deleted webhook or source too. */
  SubscriptionDeleted: SubscriptionTriple & { readonly subscriptionId: string; readonly createdAt?: number };
  SubscriptionDeleteRefused: Refused & SubscriptionTriple;
}>;
