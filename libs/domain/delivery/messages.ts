// What delivering yields: attempts, parked events, and the cursors that say how far each subscription is.
import type { MessageOf } from '../message.ts';

/** Which event goes to whom; `webhookMessageId` is the `webhook-id` header, the same at every attempt. */
export interface DeliveryTarget {
  readonly subscriptionId: string;
  readonly webhookId: string;
  readonly emitterId: string;
  readonly eventId: string;
  readonly channel: string;
  readonly webhookMessageId: string;
}

/** On `deliveries`, keyed by subscription, in the emitter's partition. */
export type DeliveryEvent = MessageOf<{
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
  };
  /** The last attempt failed, or the webhook was disabled: nothing more is sent by itself. */
  DeliveryParked: DeliveryTarget & { readonly attempts: number; readonly reason: 'attempts_exhausted' | 'gone' };
}>;

/** An event below a cursor's `next` that is not finished. */
export interface OpenDelivery {
  /** Offset of the event on `channels`. */
  readonly offset: number;
  /** Made so far. */
  readonly attempts: number;
  /** Epoch ms. */
  readonly dueAt: number;
}

/** On `cursors`, compacted. Key: the subscription's id (its base), or `subscription/emitter`. */
export type CursorEvent = MessageOf<{
  /** Where emitters without a cursor of their own begin, in this partition. */
  BaseCursorOpened: { readonly subscriptionId: string; readonly next: number };
  CursorMoved: {
    readonly subscriptionId: string;
    readonly emitterId: string;
    /** Every matching event below is finished or open. */
    readonly next: number;
    readonly open: readonly OpenDelivery[];
    /** Matching events finished so far. */
    readonly sequence: number;
    /** Matching events may stand from here up to delivery's mark: read them from the log. */
    readonly behindFrom: number | null;
  };
  /** The subscription was deleted. */
  CursorClosed: { readonly subscriptionId: string };
}>;
