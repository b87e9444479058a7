// What delivering yields: attempts, parked events, and the cursors that say how far each subscription is.
import type { DeletedEvents } from '../channel/messages.ts';
import type { MessageOf } from '../message.ts';
import type { AnswerHeaders, AttemptTrace, SentHeaders } from './attempt/attempt-details.ts';
import type { SegmentIndexed } from './indexing/messages.ts';

/** Which event goes to whom; `webhookMessageId` is the `webhook-id` header, the same at every attempt. */
export interface DeliveryTarget {
  readonly subscriptionId: string;
  readonly webhookId: string;
  readonly emitterId: string;
  readonly eventId: string;
  readonly channel: string;
  readonly webhookMessageId: string;
}

/** `too_many_waiting`: it was the oldest of more waiting retries than a subscription may have. */
export type ParkedReason = 'attempts_exhausted' | 'gone' | 'too_many_waiting';

/** On `deliveries`, keyed by subscription, in the source's partition. */
export type DeliveryEvent = AttemptEvent | FilteredEvent;

/** Events of a subscription that its filter or transform dropped: those of one source since the last such record. */
export type FilteredEvent = MessageOf<{
  EventsFiltered: { readonly subscriptionId: string; readonly emitterId: string; readonly count: number };
}>;

/** What becomes of one event on its way to one webhook. */
export type AttemptEvent = MessageOf<{
  DeliveryAttempted: DeliveryTarget & {
    /** From 1. */
    readonly attempt: number;
    readonly outcome: 'delivered' | 'failed';
    /** HTTP status, when the receiver answered. */
    readonly status: number | null;
    /** A WebhookFailure when it did not. */
    readonly failure: string | null;
    readonly message: string | null;
    /** First 16 KiB of the answer. */
    readonly answer: string | null;
    readonly startedAt: number;
    readonly durationMs: number;
    /** When the next attempt is due; null: none is. */
    readonly nextAttemptAt: number | null;
    /** The replay that made it. */
    readonly replayId?: string;
    /** Of a first attempt: a replay may have made others before it. */
    readonly afterReplay?: boolean;
    /** Absent: an earlier program did not record it. */
    readonly trace?: AttemptTrace;
    /** Of a failed attempt, the owner's values masked. */
    readonly requestHeaders?: SentHeaders;
    /** Of a failed attempt that the receiver answered: the first 16 KiB. */
    readonly answerHeaders?: AnswerHeaders;
  };
  /** The last attempt failed, the webhook was disabled, or too many waited: nothing more is sent by itself. */
  DeliveryParked: DeliveryTarget & {
    readonly attempts: number;
    readonly reason: ParkedReason;
    /** The replay that gave it up. */
    readonly replayId?: string;
  };
  /** It was parked, and another attempt was requested. */
  DeliveryReopened: DeliveryTarget & { readonly attempts: number };
  /**
   * No attempt follows: somebody has given it up, or, after a failed attempt, the subscription's transform has, or its
   * event was deleted.
   */
  DeliveryDiscarded: DeliveryTarget & { readonly attempts: number; readonly by?: 'transform' | 'deletion' };
}>;

/** An event below a cursor's `next` that is not finished. */
export interface OpenDelivery {
  /** Offset of the event on `channels`. */
  readonly offset: number;
  /** Its number among the events of this subscription and source, from 1, without gaps; kept at every attempt. 0: it was parked before. */
  readonly sequence: number;
  /** Made so far. */
  readonly attempts: number;
  /** Epoch ms. */
  readonly dueAt: number;
  /** How long it was to wait when `dueAt` was put down. */
  readonly waitMs: number;
  /** Its order key, as a hash; absent: it is not ordered by key. */
  readonly orderKey?: string;
}

/** An unfinished event as earlier programs wrote it. */
export interface UnnumberedDelivery {
  readonly offset: number;
  readonly attempts: number;
  readonly dueAt: number;
}

/** published = delivered + parked + filtered + expired + what is unfinished. */
export interface CursorCounters {
  /** Matching events that have begun: the last number given. */
  readonly published: number;
  /** With those that programs before these counters parked. */
  readonly delivered: number;
  readonly parked: number;
  readonly filtered: number;
  /**
   * Given up: the event was `gone` from the log, `retention` has overtaken it, it was `deleted`, or its delivery was
   * `discarded` (absent: none).
   */
  readonly expired: {
    readonly gone: number;
    readonly retention: number;
    readonly deleted?: number;
    readonly discarded?: number;
  };
  /** Absent: nothing is parked, or by earlier programs alone. */
  readonly parkedTimes?: ParkedTimes;
}

/** When the events happened that are counted as parked. */
export interface ParkedTimes {
  /** Epoch ms: those that were parked and are older were counted as expired; 0: none. */
  readonly expiredBelow: number;
  /** In order, and apart from each other. */
  readonly spans: readonly ParkedSpan[];
}

/** So many parked events, the first and the last of which happened at these times (epoch ms) or between them. */
export interface ParkedSpan {
  readonly from: number;
  readonly to: number;
  readonly count: number;
}

/** The newest attempt of a cursor that failed. */
export interface FailedAttempt {
  readonly eventId: string;
  readonly at: number;
  /** As in DeliveryAttempted. */
  readonly status: number | null;
  readonly failure: string | null;
}

/** What a cursor's record tells people beside its position. */
export interface CursorReport {
  /** Unfinished events that have records of their own. */
  readonly waiting: number;
  /** The newest event that has its number; null: not known. */
  readonly eventId: string | null;
  /** Null: none did, as far as is known. */
  readonly failed: FailedAttempt | null;
  /** Epoch ms: the earliest retry; null: none is due. */
  readonly retryAt: number | null;
  /** Events that wait behind another one of their order key; absent: none. */
  readonly behind?: number;
  /** Epoch ms: since when attempts have failed without a success to the webhook; absent: the newest one succeeded. */
  readonly failingSince?: number;
}

/** The change holds for events from this offset of `channels` on. */
export interface PlacedChange {
  readonly version: number;
  readonly from: number;
}

/**
 * On `cursors`, compacted. Key: the subscription's id (its base), `subscription/emitter`,
 * `subscription/emitter/sequence` (`again-` and the offset, if it was parked before), `subscription/emitter/key/hash`,
 * `subscription/filter/places`, `subscription/opening/next`, `deleted/emitter/offset`, or `indexed/offset`. A record
 * without data removes the earlier ones of its key.
 */
export type CursorEvent = MessageOf<{
  /** Where sources without a cursor of their own begin, in this partition. */
  BaseCursorOpened: { readonly subscriptionId: string; readonly next: number };
  CursorAdvanced: {
    readonly subscriptionId: string;
    readonly emitterId: string;
    /** Begins with 1. */
    readonly epoch: number;
    /** Every matching event below is finished, open, has a record of its own, or waits behind another one of its key. */
    readonly next: number;
    readonly open: readonly OpenDelivery[];
    readonly counters: CursorCounters;
    /** Matching events may stand from here up to delivery's mark: read them from the log. */
    readonly behindFrom: number | null;
    /** Absent: written by earlier programs. */
    readonly report?: CursorReport;
    /** The pointer to the order keys of its unfinished events; absent: they are not ordered by key. */
    readonly orderedBy?: string;
  };
  /** An event that waits for another attempt, apart from its cursor; without data: it is finished. */
  RetryWaiting: OpenDelivery & { readonly subscriptionId: string; readonly emitterId: string };
  /** Numbered events of one order key that wait behind another one; without data: none do any more. */
  KeyWaiting: {
    readonly subscriptionId: string;
    readonly emitterId: string;
    readonly orderKey: string;
    /** None of them is below this offset of `channels` ... */
    readonly first: number;
    /** ... and this is the number of the first matching event from there on, of any key. */
    readonly sequence: number;
    /** The offset of the last of them. */
    readonly last: number;
    /** How many they are. */
    readonly waiting: number;
  };
  /**
   * Deleted events that some cursor has not passed yet; `offset`: of `EventsDeleted` on `channels`. Without data: all
   * cursors have passed them.
   */
  DeletionKept: DeletedEvents & { readonly offset: number };
  /**
   * The offsets in this partition of `channels` of the `FilterChanged` records of the filters that are kept. Without
   * data: the subscription has ended.
   */
  FiltersPlaced: { readonly subscriptionId: string; readonly places: readonly PlacedChange[] };
  /**
   * How far the search for the first events of a subscription that begins in the past is: everything below `next` was
   * searched. Without data: it is over.
   */
  OpeningAdvanced: { readonly subscriptionId: string; readonly next: number };
  /** A range of `channels` is on `indexes`; without data: retention has overtaken it. */
  SegmentIndexed: SegmentIndexed;
  /** As CursorAdvanced, by earlier programs. */
  CursorMoved: {
    readonly subscriptionId: string;
    readonly emitterId: string;
    readonly next: number;
    readonly open: readonly UnnumberedDelivery[];
    /** Matching events finished so far. */
    readonly sequence: number;
    readonly behindFrom: number | null;
  };
  /** The subscription was deleted; without data, but by earlier programs. */
  CursorClosed: { readonly subscriptionId: string };
}>;
