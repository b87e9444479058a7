// What stands now, beside the histories: the definitions of sources, webhooks and subscriptions, and what their keys led to.
import type { ConsoleLine, DeployRefusal, HookKind, SourceKind, SourceStatus } from '../component/messages.ts';
import type { ApphookInterface, HttpInterface } from '../component/http/interfaces.ts';
import type { SourceSettings } from '../component/settings/source-settings.ts';
import type { FilterSince } from '../delivery/filter/filter-history.ts';
import type { SubscriptionTriple, WebhookSettings } from '../listener/messages.ts';
import type { MessageOf } from '../message.ts';
import type { Sealed } from '../secrets/sealed.ts';
import type { TimerSchedule } from '../timer/messages.ts';

/** The request with an Idempotency-Key that made it; null: there was no key, or it is forgotten. */
export interface MadeBy {
  /** Names workspace, route and Idempotency-Key. */
  readonly key: string;
  readonly fingerprint: string;
  /** Epoch ms: 24 hours later the key is new again. */
  readonly answeredAt: number;
}

/** A revision of a source: where it is found, and what others have to know of it. */
export interface RevisionDefinition {
  readonly revision: number;
  /** The one that brought the code; it is kept by updates of props alone. */
  readonly codeRevision: number;
  readonly codeFrom: number;
  /** Null: it is not described yet. */
  readonly configuredFrom: number | null;
  readonly hooks: readonly HookKind[];
  readonly http: HttpInterface | null;
  readonly timer: TimerSchedule | null;
  /** Those that its props name; absent: none. */
  readonly accounts?: readonly string[];
  /** Null or absent: it has none, or is not configured yet. */
  readonly apphook?: ApphookInterface | null;
}

/** An update under way. */
export interface UpdateDefinition {
  /** As it is to be at the end; null: it stays. */
  readonly name: string | null;
  readonly active: boolean;
  /** The same; absent: they stay. */
  readonly settings?: SourceSettings;
  readonly swapped: 'not_yet' | 'swapped' | 'back';
  /** Before the swap the revision to come, then the one before it; null: neither code nor props change. */
  readonly other: RevisionDefinition | null;
  /** Why it was swapped back. */
  readonly refusal: DeployRefusal | null;
}

/** On `sources`, compacted by source id; without data: there is no such source any more. */
export type SourceDefinition = MessageOf<{
  SourceDefined: {
    readonly sourceId: string;
    readonly status: SourceStatus;
    readonly revision: number;
    readonly createdAt: number;
    readonly madeBy: MadeBy | null;
    readonly endpointKey: string;
    readonly requestedName: string | null;
    /** As the command brought them; null once the revision is configured. */
    readonly configuredProps: Sealed | null;
    /** Null until the revision is configured. */
    readonly nameSlug: string | null;
    readonly hooks: readonly HookKind[];
    /** Hooks of the process under way that have ended, and what they wrote. */
    readonly ended: readonly HookKind[];
    readonly console: readonly ConsoleLine[];
    /** Null: it has none, or is not configured yet. */
    readonly http: HttpInterface | null;
    /** Null or absent: it has none, or is not configured yet. */
    readonly timer?: TimerSchedule | null;
    readonly apphook?: ApphookInterface | null;
    /** Absent: the defaults. */
    readonly settings?: SourceSettings;
    /** Where on `components` its SourceDeploying stands, with the code, or before that. */
    /** Where on `components` the record with its code stands (SourceDeploying, SourceUpdating), or before that. */
    readonly codeFrom: number;
    /** Where on `components` its SourceConfigured stands, with manifest and props, or before that; null: not yet. */
    readonly configuredFrom: number | null;
    /** False: it was made inactive; it has no endpoint then, and its timer rests. */
    readonly active?: boolean;
    /** The revision that brought its code, which `codeFrom` is about; absent: this one. */
    readonly codeRevision?: number;
    /** The highest that any update of it has led to, or was to lead to; absent: this one. */
    readonly lastRevision?: number;
    /** A `deactivate` that throws does not stop the process under way. */
    readonly ignoreHookErrors?: boolean;
    /** With the status `updating`. */
    readonly update?: UpdateDefinition;
    readonly kind?: SourceKind;
    /** Those that the props of its revision name; absent: none. */
    readonly accounts?: readonly string[];
  };
}>;

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

/**
 * In each of the three topics' partitions: everything that the histories said when definitions were introduced is there now.
 * Before this record nobody may rely on definitions.
 */
export type DefinitionsEvent = MessageOf<{
  DefinitionsFolded: {
    /** Of the definitions, from 1. */
    readonly format: number;
  };
}>;

/** On `answers`, compacted by key: what a key led to that no definition tells of. Without data: the key is forgotten. */
export type AnswerEvent = MessageOf<{
  AnswerKept: MadeBy & {
    /** Of what was made. */
    readonly id: string;
    /** Of a deploy that was refused, which is told again; null: what was made was deleted, unless it stands. */
    readonly refusal: DeployRefusal | null;
    /** It was made by another request, and stood then. */
    readonly stands?: boolean;
  };
}>;
