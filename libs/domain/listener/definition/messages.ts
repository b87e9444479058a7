// The current state of each webhook and subscription, which stages restore from instead of their history.
import type { MadeBy } from '../../definition/messages.ts';
import type { FilterSince } from '../../delivery/filter/filter-history.ts';
import type { MessageOf } from '../../message.ts';
import type { Sealed } from '../../secrets/sealed.ts';
import type { SubscriptionTriple, WebhookSettings } from '../messages.ts';

/** A signing key of a webhook that has a newer one. */
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
    /** The newest. */
    readonly signingKey: Sealed;
    /** `whpk_...`: of the pair whose private key is the newest signing key; absent: that is for HMAC. */
    readonly publicKey?: string;
    /** The request that the newest key was made by; null: it had no Idempotency-Key. Absent: that which made the webhook. */
    readonly keyMadeBy?: MadeBy | null;
    /** The keys before it, newest first. */
    readonly formerKeys?: readonly FormerKey[];
    readonly createdAt: number;
    readonly madeBy: MadeBy | null;
    /** It gets nothing. */
    readonly disabled: boolean;
    /** When its owner paused it, epoch ms; absent: it is not paused. A paused webhook is `disabled` too. */
    readonly pausedAt?: number;
    /** Counts the changes of its url and of whether it is active; absent: 0. */
    readonly generation?: number;
  };
}>;

/**
 * On `subscriptions`, compacted by subscription id, in the partition of its source; one to every source stands in each.
 * Without data: it has ended. It has, too, when its webhook or its source is gone.
 */
export type SubscriptionDefinition = MessageOf<{
  SubscriptionDefined: SubscriptionTriple & {
    readonly subscriptionId: string;
    readonly createdAt: number;
    readonly madeBy: MadeBy | null;
    /** Where in this partition of `channels` it begins: by default the end when it was created. Null: not known, nothing is delivered. */
    readonly from: number | null;
  };
}>;

/**
 * On `subscriptions` too, beside the definition of its subscription and in the same partitions, with a key of its own:
 * the newest filters, in order. Without data: the subscription has ended. Absent: it wants all its events.
 */
export type FilterDefinition = MessageOf<{
  FilterDefined: {
    readonly subscriptionId: string;
    /** This one of `channels`. */
    readonly partition: number;
    readonly filters: readonly FilterSince[];
  };
}>;

/** The key of a subscription's filters on `subscriptions`. */
export const filterKey = (subscriptionId: string): string => `${subscriptionId}/filter`;
