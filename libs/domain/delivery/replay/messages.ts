// Requests to delivery, and the records of how far each replay is.
import type { MessageOf, Millis } from '../../message.ts';
import type { DeliveryActionRequest } from '../attempt/delivery-action-request.ts';
import type { WebhookTestRequest } from '../attempt/webhook-test.ts';
import type { FiltersNeededRequest } from '../filter/filter-history.ts';
import type { CursorCounters, OpenDelivery } from '../messages.ts';
import type { ReplayPosition } from './position.ts';

/** `failed`: events that are parked, or had a failed attempt. */
export type ReplayOnly = 'all' | 'failed' | 'parked';

/** A part of a replay of every source: the sources whose events are in this partition. */
export interface ReplayPart {
  readonly partition: number;
  /** The number of parts; they share the replay's rate evenly. */
  readonly of: number;
}

/** The parameters of a replay. */
export interface ReplayParams {
  readonly replayId: string;
  readonly subscriptionId: string;
  /** A source, or the subscription's own `emitterId` if that stands for every source. */
  readonly emitterId: string;
  readonly part?: ReplayPart;
  readonly from: ReplayPosition;
  /** Inclusive, as `from`. */
  readonly to: ReplayPosition;
  readonly only: ReplayOnly;
  /** The most events per second; null: no limit for this replay. */
  readonly rate: number | null;
  /** Tells a repeat with the same Idempotency-Key from another request; null: it had no key. */
  readonly fingerprint: string | null;
  /** Nothing is sent: the replay ends when its events are counted. */
  readonly dryRun?: boolean;
}

/** On `requests`, keyed by subscription, in the source's partition; about a webhook keyed by that, in its partition. */
export type DeliveryRequest =
  | ReplayRequest
  | MessageOf<{
      /** Try a delivery that waits or is parked now. */
      DeliveryRetryRequested: DeliveryActionRequest;
      /** Discard a delivery that waits, is parked or blocks others. */
      DeliveryDiscardRequested: DeliveryActionRequest;
      /** Send a sample to a webhook now; keyed by the webhook. */
      WebhookTestRequested: WebhookTestRequest;
      /** Say which of a subscription's filters events in this partition still need. */
      FiltersNeededRequested: FiltersNeededRequest;
    }>;

/** A request for every source without `part` is for all parts: delivery sends it on to each. */
export type ReplayRequest = MessageOf<{
  ReplayRequested: ReplayParams & {
    /** The id by the same Idempotency-Key before midnight UTC: if that replay is known, this request repeats it. */
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
  /** Only by earlier versions, which replayed to webhooks alone. */
  | 'not_a_webhook'
  | 'too_many_replays'
  /** More events are parked or failed than a replay remembers: it needs a smaller range. */
  | 'too_many_selected'
  /** No event has this number: it was never used, or the event is older than the subscription. */
  | 'no_such_sequence';

/** The ids of the first and the last event. */
export interface ReplayEnds {
  readonly first: string;
  readonly last: string;
}

/**
 * On `replays`, compacted by `replayKey`. Without data: its subscription is gone, or newer ones have taken its place.
 */
export type ReplayEvent = MessageOf<{
  ReplayAdvanced: ReplayParams & {
    readonly state: ReplayState;
    readonly reason: ReplayReason | null;
    readonly requestedAt: Millis;
    readonly endedAt: Millis | null;
    /** The end of `channels` when delivery took the request. */
    readonly acceptedAt: number;
    /** Offsets, the end exclusive; null: not determined yet. */
    readonly range: { readonly first: number; readonly end: number } | null;
    /** The number of events to replay; null: not counted yet. */
    readonly total: number | null;
    /** Absent: not counted yet, or there are no events. */
    readonly ends?: ReplayEnds;
    /** With `only`: records on `deliveries` below it chose the events; absent: not counted yet, or an older version. */
    readonly chosenBelow?: number;
    /** Every event below is finished or open. */
    readonly next: number;
    readonly open: readonly OpenDelivery[];
    /** The replay's own counters, separate from the subscription's; `published` counts those that have begun. */
    readonly counters: CursorCounters;
  };
}>;
