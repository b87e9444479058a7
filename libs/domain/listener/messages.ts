// Commands and events about webhooks and subscriptions (topics `commands` and `listeners`).
import type { JsonObject } from '../json.ts';
import type { MessageOf } from '../message.ts';
import type { Sealed } from '../secrets/sealed.ts';

/** What every creating command carries so that a repeat can be told from a conflict. */
export interface Repeatable {
  /** Hex SHA-256 of the canonical request; null when no Idempotency-Key was given. */
  readonly fingerprint: string | null;
  /** Names workspace, route and Idempotency-Key; absent: the id of what is made does, or there is no key. */
  readonly requestKey?: string;
}

export interface WebhookSettings {
  readonly url: string;
  readonly name: string | null;
  readonly description: string | null;
  /** One in flight per emitter, in order; false: up to 64 in flight in any order. */
  readonly ordered: boolean;
  /** Seconds before each retry, replacing the default schedule; null: the default (retry.ts). */
  readonly retrySchedule: readonly number[] | null;
}

export interface SubscriptionTriple {
  /** `dc_<id>`, or `dc_*` for every source of the workspace. */
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
}

export type ListenerCommand = MessageOf<{
  CreateWebhook: WebhookSettings &
    Repeatable & { readonly webhookId: string; readonly userId: string; readonly signingKey: Sealed };
  DeleteWebhook: { readonly webhookId: string };
  /** Sent by delivery when the receiver answers 410. */
  DisableWebhook: { readonly webhookId: string; readonly reason: 'gone' };
  CreateSubscription: SubscriptionTriple & Repeatable & Filtered & { readonly subscriptionId: string };
  UpdateSubscription: { readonly subscriptionId: string; readonly filter: JsonObject | null };
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
  /** The command on the log cannot be read; nothing was done. */
  | 'malformed';

interface Refused {
  readonly reason: ListenerRefusal;
  readonly message: string;
  readonly existingId?: string;
}

/** Every command yields at least one of these with its correlationId: that is its outcome. */
export type ListenerEvent = MessageOf<{
  WebhookCreated: WebhookSettings &
    Repeatable & { readonly webhookId: string; readonly userId: string; readonly signingKey: Sealed };
  WebhookCreateRefused: Refused & { readonly webhookId: string };
  WebhookDeleted: { readonly webhookId: string; readonly createdAt?: number };
  WebhookDeleteRefused: Refused & { readonly webhookId: string };
  WebhookDisabled: { readonly webhookId: string; readonly reason: 'gone' };
  WebhookDisableRefused: Refused & { readonly webhookId: string };
  /** `channelEnds[p]` is the end of `channels` partition p, read before this was appended: where `now` begins. */
  SubscriptionCreated: SubscriptionTriple &
    Repeatable &
    Filtered & { readonly subscriptionId: string; readonly channelEnds: readonly number[] };
  SubscriptionCreateRefused: Refused & { readonly subscriptionId: string };
  /** From `channelEnds` on its filter is this one; null: it wants all events. */
  SubscriptionUpdated: {
    readonly subscriptionId: string;
    readonly filter: JsonObject | null;
    readonly channelEnds: readonly number[];
  };
  SubscriptionUpdateRefused: Refused & { readonly subscriptionId: string };
  /** A source that subscriptions name is gone, and they with it; those of a deleted webhook have no event of their own either. */
  EmitterGone: { readonly emitterId: string };
  /** A source that listens is gone, and its subscriptions with it. */
  ListenerGone: { readonly listenerId: string };
  /** By command. Earlier programs wrote one for each subscription of a deleted webhook or source too. */
  SubscriptionDeleted: SubscriptionTriple & { readonly subscriptionId: string; readonly createdAt?: number };
  SubscriptionDeleteRefused: Refused & SubscriptionTriple;
}>;
