// Definitions: the current state of each webhook and subscription, from which stages restore instead of from history.
import type { MadeBy } from '../../definition/messages.ts';
import type { FilterVersion } from '../../delivery/filter/filter-history.ts';
import type { MessageOf } from '../../message.ts';
import type { Sealed } from '../../secrets/sealed.ts';
import type { SubscriptionTriple, WebhookSettings } from '../messages.ts';

/** An earlier signing key of a webhook that has a newer one. */
export interface FormerKey {
  readonly key: Sealed;
  /** Epoch ms: attempts are signed with it until then. */
  readonly validUntil: number;
  readonly madeBy: MadeBy | null;
}

/** On `webhooks`, compacted by webhook id; without data: it was deleted. */
export type WebhookDefinition = MessageOf<{
  WebhookDefined: WebhookSettings & {
    readonly webhookId: string;
    readonly userId: string;
    /** The newest signing key. */
    readonly signingKey: Sealed;
    /** `whpk_...`, the public key if the newest signing key is a private key; absent: that is an HMAC secret. */
    readonly publicKey?: string;
    /** The request that made the newest key; null: it had no Idempotency-Key. Absent: the one that made the webhook. */
    readonly keyMadeBy?: MadeBy | null;
    /** The earlier keys, newest first. */
    readonly formerKeys?: readonly FormerKey[];
    readonly createdAt: number;
    readonly madeBy: MadeBy | null;
    /** Nothing is sent to it. */
    readonly disabled: boolean;
    /** When its owner paused it, epoch ms; absent: it is not paused. A paused webhook is `disabled` too. */
    readonly pausedAt?: number;
    /** The number of changes of its url or of whether it is active; absent: 0. */
    readonly generation?: number;
  };
}>;

/**
 * On `subscriptions`, compacted by subscription id, in the partition of its source; one to every source is in each.
 * Without data: it has ended. It has also ended if its webhook or its source is deleted.
 */
export type SubscriptionDefinition = MessageOf<{
  SubscriptionDefined: SubscriptionTriple & {
    readonly subscriptionId: string;
    readonly createdAt: number;
    readonly madeBy: MadeBy | null;
    /** The offset in this partition of `channels` where it begins. Null: unknown, and nothing is delivered. */
    readonly from: number | null;
  };
}>;

/**
 * The newest filters of a subscription, in order. On `subscriptions`, with its own key, in the same partitions as the
 * subscription's definition. Without data: the subscription has ended. No such record: every event matches.
 */
export type FilterDefinition = MessageOf<{
  FilterDefined: {
    readonly subscriptionId: string;
    /** The partition of this record, and of `channels`. */
    readonly partition: number;
    readonly filters: readonly FilterVersion[];
  };
}>;

/** The key of a subscription's filters on `subscriptions`. */
export const filterKey = (subscriptionId: string): string => `${subscriptionId}/filter`;
