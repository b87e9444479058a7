// A delivery with its attempts, as the API shows it.
import type { AttemptView, DeliveryView } from '../../../../domain/views/index.ts';

export interface AttemptRecord {
  /** From 1. */
  readonly attempt: number;
  readonly outcome: string;
  readonly status: number | null;
  readonly failure: string | null;
  readonly message: string | null;
  readonly answer: string | null;
  readonly started_at_ms: number;
  readonly duration_ms: number;
}

export interface DeliveryRecord {
  /** The `webhook-id` header, the same at every attempt. */
  readonly id: string;
  readonly subscription_id: string;
  readonly webhook_id: string;
  readonly emitter_id: string;
  readonly event_id: string;
  readonly event_name: string;
  readonly state: string;
  readonly parked_reason: string | null;
  readonly attempt_count: number;
  readonly next_attempt_at_ms: number | null;
  readonly updated_at_ms: number;
  readonly attempts: readonly AttemptRecord[];
}

export const presentDelivery = (delivery: DeliveryView): DeliveryRecord => ({
  id: delivery.webhookMessageId,
  subscription_id: delivery.subscriptionId,
  webhook_id: delivery.webhookId,
  emitter_id: delivery.emitterId,
  event_id: delivery.eventId,
  event_name: delivery.channel,
  state: delivery.state,
  parked_reason: delivery.parkedReason,
  attempt_count: delivery.attemptCount,
  next_attempt_at_ms: delivery.nextAttemptAt,
  updated_at_ms: delivery.updatedAt,
  attempts: delivery.attempts.map(presentAttempt),
});

const presentAttempt = (attempt: AttemptView): AttemptRecord => ({
  attempt: attempt.attempt,
  outcome: attempt.outcome,
  status: attempt.status,
  failure: attempt.failure,
  message: attempt.message,
  answer: attempt.answer,
  started_at_ms: attempt.startedAt,
  duration_ms: attempt.durationMs,
});
