// The messages of delivery: attempts, parked events, and the cursors, which say how far each subscription is.
import type { DeletedEvents } from '../channel/messages.ts';
import type { MessageOf } from '../message.ts';
import type { AnswerHeaders, AttemptTrace, SentHeaders } from './attempt/attempt-details.ts';
import type { SegmentIndexed } from './indexing/messages.ts';

/** The event and its receiver; `webhookMessageId` is the `webhook-id` header, the same at every attempt. */
export interface DeliveryTarget {
  readonly subscriptionId: string;
  readonly webhookId: string;
  readonly emitterId: string;
  readonly eventId: string;
  readonly channel: string;
  readonly webhookMessageId: string;
}

/** `too_many_waiting`: the subscription had more waiting retries than allowed, and this was the oldest. */
export type ParkedReason = 'attempts_exhausted' | 'gone' | 'too_many_waiting';

/** On `deliveries`, keyed by subscription, in the source's partition. */
export type DeliveryEvent = AttemptEvent | FilteredEvent;

/** Events of a subscription that its filter or transform dropped: those of one source since the last such record. */
export type FilteredEvent = MessageOf<{
  EventsFiltered: { readonly subscriptionId: string; readonly emitterId: string; readonly count: number };
}>;

/** What happens to one event during its delivery to one webhook. */
export type AttemptEvent = MessageOf<{
  DeliveryAttempted: DeliveryTarget & {
    /** From 1. */
    readonly attempt: number;
    readonly outcome: 'delivered' | 'failed';
    /** The HTTP status; null: the receiver did not answer. */
    readonly status: number | null;
    /** The WebhookFailure; null: the receiver answered. */
    readonly failure: string | null;
    readonly message: string | null;
    /** The first 16 KiB of the response. */
    readonly answer: string | null;
    readonly startedAt: number;
    readonly durationMs: number;
    /** When the next attempt is due; null: none is. */
    readonly nextAttemptAt: number | null;
    /** The replay that made the attempt. */
    readonly replayId?: string;
    /** Only at a first attempt: a replay might have made other attempts before it. */
    readonly afterReplay?: boolean;
    /** Absent: an earlier program did not record it. */
    readonly trace?: AttemptTrace;
    /** Only of a failed attempt; the values of the owner's headers are masked. */
    readonly requestHeaders?: SentHeaders;
    /** Only of a failed attempt with a response: the first 16 KiB. */
    readonly answerHeaders?: AnswerHeaders;
  };
  /** The last attempt failed, the webhook was disabled, or too many waited: nothing more is sent automatically. */
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
  /** Its number for this subscription and source, from 1, without gaps, at every attempt. 0: it was parked before. */
  readonly sequence: number;
  /** The number of attempts so far. */
  readonly attempts: number;
  /** Epoch ms of the next attempt. */
  readonly dueAt: number;
  /** The wait in ms from which `dueAt` was computed. */
  readonly waitMs: number;
  /** The hash of its order key; absent: it is not ordered by key. */
  readonly orderKey?: string;
}

/** An unfinished event as earlier programs wrote it. */
export interface UnnumberedDelivery {
  readonly offset: number;
  readonly attempts: number;
  readonly dueAt: number;
}

/** published = delivered + parked + filtered + expired + the number of unfinished events. */
export interface CursorCounters {
  /** The number of matching events that have begun, which is the last sequence number. */
  readonly published: number;
  /** Includes events that were parked by versions without these counters. */
  readonly delivered: number;
  readonly parked: number;
  readonly filtered: number;
  /** Events given up: `gone` from the log, older than `retention`, `deleted`, or `discarded`; absent: none. */
  readonly expired: {
    readonly gone: number;
    readonly retention: number;
    readonly deleted?: number;
    readonly discarded?: number;
  };
  /** Absent: nothing is parked, or only by earlier versions. */
  readonly parkedTimes?: ParkedTimes;
}

/** The times of the events that are counted as parked. */
export interface ParkedTimes {
  /** Epoch ms: parked events before this time have been counted as expired; 0: none. */
  readonly expiredBelow: number;
  /** In order, without overlaps. */
  readonly spans: readonly ParkedSpan[];
}

/** A number of parked events, all of which happened from one time to the other (epoch ms, inclusive). */
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

/** Status of a cursor that is only shown to users. */
export interface CursorReport {
  /** The number of unfinished events with their own records. */
  readonly waiting: number;
  /** The newest event that has its number; null: not known. */
  readonly eventId: string | null;
  /** Null: no attempt is known to have failed. */
  readonly failed: FailedAttempt | null;
  /** Epoch ms: the earliest retry; null: none is due. */
  readonly retryAt: number | null;
  /** The number of events that wait for an earlier one with the same order key; absent: none. */
  readonly behind?: number;
  /** Epoch ms since which every attempt to the webhook has failed; absent: the newest one succeeded. */
  readonly failingSince?: number;
}

/** A change that applies to events from this offset of `channels` on. */
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
  /** The offset from which sources without their own cursor begin, in this partition. */
  BaseCursorOpened: { readonly subscriptionId: string; readonly next: number };
  CursorAdvanced: {
    readonly subscriptionId: string;
    readonly emitterId: string;
    /** Begins with 1. */
    readonly epoch: number;
    /** Every matching event below is finished, is open, has its own record, or waits for another with its order key. */
    readonly next: number;
    readonly open: readonly OpenDelivery[];
    readonly counters: CursorCounters;
    /** Unread matching events can be from here up to delivery's mark; null: none. */
    readonly behindFrom: number | null;
    /** Absent: written by an earlier version. */
    readonly report?: CursorReport;
    /** The pointer to the order keys of its unfinished events; absent: they are not ordered by key. */
    readonly orderedBy?: string;
  };
  /** An event that waits for another attempt, in its own record; without data: it is finished. */
  RetryWaiting: OpenDelivery & { readonly subscriptionId: string; readonly emitterId: string };
  /** Numbered events that wait for an earlier one with the same order key; without data: none wait any more. */
  KeyWaiting: {
    readonly subscriptionId: string;
    readonly emitterId: string;
    readonly orderKey: string;
    /** None of them is below this offset of `channels`. */
    readonly first: number;
    /** The number of the first matching event from `first` on, of any key. */
    readonly sequence: number;
    /** The offset of the last of them. */
    readonly last: number;
    /** The number of these events. */
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
   * Progress of the search for the first events of a subscription that begins in the past: everything below `next` was
   * searched. Without data: the search is complete.
   */
  OpeningAdvanced: { readonly subscriptionId: string; readonly next: number };
  /** A range of `channels` has its index on `indexes`; without data: retention has removed the range. */
  SegmentIndexed: SegmentIndexed;
  /** The CursorAdvanced of earlier versions. */
  CursorMoved: {
    readonly subscriptionId: string;
    readonly emitterId: string;
    readonly next: number;
    readonly open: readonly UnnumberedDelivery[];
    /** Matching events finished so far. */
    readonly sequence: number;
    readonly behindFrom: number | null;
  };
  /** The subscription was deleted; only earlier versions wrote it with data. */
  CursorClosed: { readonly subscriptionId: string };
}>;
