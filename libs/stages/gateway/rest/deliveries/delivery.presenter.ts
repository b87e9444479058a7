// A delivery with its attempts, as the API shows it.
import type { AttemptView, DeliveryView } from '../../../../domain/views/index.ts';
import type { AttemptRecord, DeliveryRecord } from './delivery-record.dto.ts';

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
  replay_id: attempt.replayId ?? null,
});
