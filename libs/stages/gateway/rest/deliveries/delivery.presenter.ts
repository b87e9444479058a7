// A delivery with its attempts, as the API shows it.
import type { AnswerHeaders, AttemptTrace, SentHeaders } from '../../../../domain/delivery/attempt/attempt-details.ts';
import type { AttemptView, DeliveryView } from '../../../../domain/views/index.ts';
import type { AttemptDetailsRecord } from './attempt-details.dto.ts';
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

export const presentAttempt = (attempt: AttemptView): AttemptRecord => ({
  ...presentOutcome(attempt),
  ...presentDetails(attempt),
});

function presentDetails({ trace, requestHeaders, answerHeaders, durationMs }: Detailed): AttemptDetailsRecord {
  const { address, dnsMs, connectMs, tlsMs, firstByteMs, totalMs } = (trace ?? {}) as AttemptTrace;
  return {
    address: address ?? null,
    dns_ms: dnsMs ?? null,
    connect_ms: connectMs ?? null,
    tls_ms: tlsMs ?? null,
    first_byte_ms: firstByteMs ?? null,
    total_ms: totalMs ?? durationMs,
    request_headers: (requestHeaders ?? null) as SentHeaders | null,
    answer_headers: (answerHeaders ?? null) as AnswerHeaders | null,
  };
}

type Detailed = Pick<AttemptView, 'trace' | 'requestHeaders' | 'answerHeaders' | 'durationMs'>;

const presentOutcome = (attempt: AttemptView): Omit<AttemptRecord, keyof AttemptDetailsRecord> => ({
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
