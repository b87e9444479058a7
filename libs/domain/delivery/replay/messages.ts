// What delivery is asked for about replays, and how far each replay is.
import type { MessageOf, Millis } from '../../message.ts';
import type { DeliveryAsked } from '../attempt/asked.ts';
import type { WebhookTestAsked } from '../attempt/tested.ts';
import type { FiltersNeededAsked } from '../filter/filter-history.ts';
import type { CursorCounters, OpenDelivery } from '../messages.ts';
import type { ReplayPosition } from './position.ts';

/** `failed`: events that are parked, or had a failed attempt. */
export type ReplayOnly = 'all' | 'failed' | 'parked';

/** A replay of every source has one in each partition: the sources whose events are there. */
export interface ReplayPart {
  readonly partition: number;
  /** How many parts there are; they share the replay's rate evenly. */
  readonly of: number;
}

/** What was asked for. */
export interface ReplayOrder {
  readonly replayId: string;
  readonly subscriptionId: string;
  /** A source, or the subscription's own `emitterId` if that stands for every source. */
  readonly emitterId: string;
  readonly part?: ReplayPart;
  readonly from: ReplayPosition;
  /** Inclusive, as `from`. */
  readonly to: ReplayPosition;
  readonly only: ReplayOnly;
  /** Events a second at most; null: no limit of its own. */
  readonly rate: number | null;
  /** Tells a repeat with the same Idempotency-Key from another request; null: it had no key. */
  readonly fingerprint: string | null;
  /** Nothing is sent: it ends as soon as its events are counted. */
  readonly dryRun?: boolean;
}

/** On `requests`, keyed by subscription, in the source's partition; about a webhook keyed by that, in its partition. */
export type DeliveryRequest =
  | ReplayRequest
  | MessageOf<{
      /** Try a delivery that waits or is parked now. */
      DeliveryRetryRequested: DeliveryAsked;
      /** Discard a delivery that waits, is parked or blocks others. */
      DeliveryDiscardRequested: DeliveryAsked;
      /** Send a sample to a webhook now; keyed by the webhook. */
      WebhookTestRequested: WebhookTestAsked;
      /** Say which of a subscription's filters events in this partition still need. */
      FiltersNeededRequested: FiltersNeededAsked;
    }>;

/** About every source and without a part, it is for all parts: delivery requests it of each. */
export type ReplayRequest = MessageOf<{
  ReplayRequested: ReplayOrder & {
    /** What the same Idempotency-Key made before midnight UTC: if that replay is known, this is a repeat of its request. */
    readonly formerId?: string;
  };
  ReplayCancelRequested: {
    readonly replayId: string;
    readonly subscriptionId: string;
    readonly emitterId: string;
    readonly part?: ReplayPart;
  };
}>;

/** `pending`: it waits for others to end. */
export type ReplayState = 'pending' | 'running' | 'done' | 'cancelled';

/** Why a replay was cancelled. */
export type ReplayReason =
  | 'requested'
  | 'webhook_deleted'
  /** By an earlier program, which replayed to webhooks only. */
  | 'not_a_webhook'
  | 'too_many_replays'
  /** More events are parked or failed than a replay remembers: it needs a smaller range. */
  | 'too_many_selected'
  /** No event has such a number: it was never given, or is of events before the subscription. */
  | 'no_such_sequence';

/** Event ids. */
export interface ReplayEnds {
  readonly first: string;
  readonly last: string;
}

/**
 * On `replays`, compacted by `replayKey`. Without data: its subscription is gone, or newer ones have taken its place.
 */
export type ReplayEvent = MessageOf<{
  ReplayAdvanced: ReplayOrder & {
    readonly state: ReplayState;
    readonly reason: ReplayReason | null;
    readonly requestedAt: Millis;
    readonly endedAt: Millis | null;
    /** The end of `channels` when delivery took the request. */
    readonly acceptedAt: number;
    /** Offsets, the end exclusive; null: not worked out yet. */
    readonly range: { readonly first: number; readonly end: number } | null;
    /** How many events it is about; null: not counted yet. */
    readonly total: number | null;
    /** The ids of the first and the last of them; absent: not counted yet, or there is none. */
    readonly ends?: ReplayEnds;
    /** With `only`: the offset on `deliveries` below which records chose them; absent: not counted yet, or by an earlier program. */
    readonly chosenBelow?: number;
    /** Every event below is finished or open. */
    readonly next: number;
    readonly open: readonly OpenDelivery[];
    /** Its own, apart from the subscription's: `published` are those that have begun. */
    readonly counters: CursorCounters;
  };
}>;
