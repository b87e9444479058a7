// Builds the records of an ended attempt: its outcome and, if needed, its parked event or a disabled webhook.
import { boundedHeaders, maskAnswer, maskHeaders } from '../../../domain/delivery/attempt/attempt-details.ts';
import type { SentHeaders } from '../../../domain/delivery/attempt/attempt-details.ts';
import type { DeliveryEvent, DeliveryTarget } from '../../../domain/delivery/messages.ts';
import type { AttemptDecision } from '../../../domain/delivery/retry.ts';
import type { SigningKey } from '../../../domain/delivery/signature.ts';
import { derivedId } from '../../../domain/id.ts';
import type { LogRecord, Millis } from '../../../domain/message.ts';
import { replayedVersion, versionOf } from '../../../domain/record/record-version.ts';
import { sizes } from '../../../domain/sizes.ts';
import { truncateText } from '../../../primitives/text/truncate-text.ts';
import type { EndedOutcome } from '../outcomes/outcome.ts';
import type { BufferedEvent } from '../events/buffer.ts';
import type { SourceCursor } from '../cursors/source-cursor.ts';
import { attemptId, messageIdOf } from '../targets/request.ts';
import type { CompletionRecord, DisableWebhook } from '../outcomes/completion-records.ts';

/**
 * How much of an answer a record keeps, headers included, in bytes of JSON: bytes that are not text take three each.
 * Attempts that end together go into one append with their cursor, so answers beyond their share are `brief`.
 */
const answerJsonBytesMax = { whole: 3 * sizes.answerStoredBytes + 2, brief: 1_024 + 2 } as const;
type Detail = keyof typeof answerJsonBytesMax;
const escapedBytesMax = 6;
/** An upper estimate of a record without the answer, with the actor and the trace context of its request. */
const recordOverheadBytes = 1_216;

/** One HTTP call of one event to one subscription's webhook. */
export interface Attempt {
  readonly cursor: SourceCursor;
  readonly event: BufferedEvent;
  /** The attempt's number, from 1. */
  readonly number: number;
  /** The `webhook-id` header. */
  readonly messageId: string;
  readonly startedAt: Millis;
  /** The webhook's generation when the attempt began. */
  readonly generation: number;
  /** Absent until its request is made. */
  sent?: Sent;
  /** The keys that signed it; each change of the webhook makes a new array. */
  readonly keys: readonly SigningKey[];
}

/** The parts of its request that a failed attempt's record shows. */
interface Sent {
  readonly headers: SentHeaders;
  /** The headers that the webhook's owner has set. */
  readonly fixed: SentHeaders;
}

type Reason = Extract<AttemptDecision, { readonly kind: 'park' }>['reason'];

/** `block`: there is no further retry, and the event keeps its place until a user acts. */
export type WebhookVerdict = AttemptDecision | { readonly kind: 'block'; readonly reason: Reason };

export interface AttemptEnding {
  readonly outcome: EndedOutcome;
  readonly verdict: WebhookVerdict;
  readonly endedAt: Millis;
  readonly nextAttemptAt: Millis | null;
}

/** The records, and an upper estimate of their bytes. */
interface RecordedAttempt {
  readonly records: readonly CompletionRecord[];
  readonly bytes: number;
}

/** Builds the records; `waitingBytes`: those of records that already wait on its cursor. */
export function recordsOf(attempt: Attempt, ended: AttemptEnding, waitingBytes: number): RecordedAttempt {
  const ending = { ...ended, outcome: maskOutcome(ended.outcome, attempt) };
  const roomBytes = sizes.attemptsDetailBytes - waitingBytes;
  if (roomBytes >= recordOverheadBytes) {
    const records = attemptRecords(attempt, ending, 'whole');
    const bytes = recordsBytes(records, ending);
    if (bytes <= roomBytes) return { records, bytes };
  }
  const brief = attemptRecords(attempt, ending, 'brief');
  return { records: brief, bytes: recordsBytes(brief, ending) };
}

/** The outcome without the values of the owner's headers, even if the receiver repeats them. */
const maskOutcome = (outcome: EndedOutcome, { sent }: Attempt): EndedOutcome =>
  outcome.kind === 'answered' && sent !== undefined ? maskAnswer(outcome, sent.fixed) : outcome;

function attemptRecords(attempt: Attempt, ending: AttemptEnding, detail: Detail): CompletionRecord[] {
  const { verdict } = ending;
  const attempted = deliveryAttempted(attempt, ending, detail);
  if (verdict.kind === 'delivered' || verdict.kind === 'retry') return [attempted];
  const parked = verdict.kind === 'park' ? [deliveryParked(attempt, verdict.reason, attempted)] : [];
  return [attempted, ...parked, ...(verdict.reason === 'gone' ? [disableWebhook(attempt, attempted)] : [])];
}

/** An upper estimate of the records' JSON: a control character takes six bytes. */
function recordsBytes(records: readonly LogRecord[], { verdict }: AttemptEnding): number {
  const data = records[0]?.data as { readonly answer: string };
  if (verdict.kind !== 'delivered')
    return records.length * recordOverheadBytes + Buffer.byteLength(JSON.stringify(data));
  const { answer } = data;
  return recordOverheadBytes + (answer.length < 256 ? answer.length * 6 : Buffer.byteLength(JSON.stringify(answer)));
}

/** Built by hand, with a concatenated id instead of a hash, for speed: every delivery has such a record. */
function deliveryAttempted(attempt: Attempt, ending: AttemptEnding, detail: Detail): DeliveryEvent {
  const { cursor, event, messageId, number, startedAt } = attempt;
  const { subscriptionId, workspace, webhook } = cursor.subscription;
  const { outcome, verdict, endedAt, nextAttemptAt } = ending;
  const answered = outcome.kind === 'answered';
  const { replayId } = cursor;
  const headers = verdict.kind === 'delivered' || detail === 'brief' ? undefined : failedHeaders(attempt, outcome);
  return {
    id: attemptId({ messageId, number, replayId }),
    type: 'DeliveryAttempted',
    version: replayId === undefined ? 1 : replayedVersion,
    key: subscriptionId,
    data: {
      subscriptionId,
      webhookId: webhook.webhookId,
      emitterId: event.emitterId,
      eventId: event.eventId,
      channel: event.channel,
      webhookMessageId: messageId,
      attempt: number,
      outcome: verdict.kind === 'delivered' ? 'delivered' : 'failed',
      status: answered ? outcome.status : null,
      failure: answered ? null : outcome.failure,
      message: answered ? null : outcome.message,
      answer: answered ? truncateAnswer(outcome.answer, answerJsonBytesMax[detail] - (headers?.bytes ?? 0)) : null,
      startedAt,
      durationMs: outcome.durationMs,
      nextAttemptAt,
      ...(replayId === undefined ? {} : { replayId }),
      ...(isAfterReplay(attempt) ? { afterReplay: true } : {}),
      trace: outcome.trace,
      ...headers?.kept,
    },
    at: endedAt,
    workspace,
    correlationId: event.correlationId,
    causationId: event.recordId,
  };
}

/** Whether a replay might have made attempts before this one, the first of the delivery itself. */
const isAfterReplay = ({ cursor: { replayId, subscription }, event, number }: Attempt): boolean =>
  number === 1 && replayId === undefined && event.offset < (subscription.replayedBelow ?? 0);

/** An upper estimate of a record that has no answer: ids and a channel's name. */
export const withoutAnswerBytes = 2_048;

/** Parks an event that still has attempts left, because too many events wait. */
export function parkedEarly(input: {
  readonly cursor: SourceCursor;
  readonly event: BufferedEvent;
  readonly attempts: number;
  readonly at: Millis;
}): DeliveryEvent {
  const { cursor, event, attempts, at } = input;
  const { subscriptionId } = cursor.subscription;
  const messageId = messageIdOf(subscriptionId, event);
  const data = { ...targetOf({ cursor, event, messageId }), attempts, reason: 'too_many_waiting' } as const;
  const id = derivedId('rec', messageId, 'too_many_waiting');
  return { ...envelope({ cursor, event }, at), id, type: 'DeliveryParked', data, causationId: event.recordId };
}

interface DroppedLate {
  readonly cursor: SourceCursor;
  readonly event: BufferedEvent;
  /** The number of attempts so far, all of which failed. */
  readonly attempts: number;
  readonly by: 'transform' | 'deletion';
}

/** Records that no attempt follows the failed ones: otherwise the delivery would be shown as failing forever. */
export function droppedLate({ cursor, event, attempts, by }: DroppedLate, at: Millis): DeliveryEvent {
  const type = 'DeliveryDiscarded' as const;
  const messageId = messageIdOf(cursor.subscription.subscriptionId, event);
  const data = { ...targetOf({ cursor, event, messageId }), attempts, by };
  const id = derivedId('rec', messageId, 'dropped', attempts + 1);
  const version = versionOf({ type, data });
  return { ...envelope({ cursor, event }, at), id, type, version, data, causationId: event.recordId };
}

/** The headers of both sides, for a failed attempt only: failures are rare, and users need every detail. */
function failedHeaders({ sent }: Attempt, outcome: EndedOutcome) {
  if (sent === undefined) return undefined;
  const requestHeaders = boundedHeaders(maskHeaders(sent.headers, sent.fixed), sizes.requestHeadersBytes);
  if (outcome.kind !== 'answered') return { kept: { requestHeaders }, bytes: 0 };
  const answerHeaders = boundedHeaders(outcome.headers, sizes.answerHeadersBytes);
  return { kept: { requestHeaders, answerHeaders }, bytes: Buffer.byteLength(JSON.stringify(answerHeaders)) };
}

/** As much of the answer as fits. */
function truncateAnswer(answer: string, bytesMax: number): string {
  if (answer.length * escapedBytesMax <= bytesMax) return answer;
  const isFitting = (text: string): boolean => Buffer.byteLength(JSON.stringify(text)) <= bytesMax;
  // Each UTF-16 unit takes a byte or more.
  let [least, beyond] = [0, Math.min(answer.length, bytesMax) + 1];
  while (beyond - least > 1) {
    const units = Math.floor((least + beyond) / 2);
    if (isFitting(truncateText(answer, units))) least = units;
    else beyond = units;
  }
  return truncateText(answer, least);
}

function deliveryParked(attempt: Attempt, reason: Reason, attempted: DeliveryEvent): DeliveryEvent {
  const { replayId } = attempt.cursor;
  const ofReplay = replayId === undefined ? {} : { replayId };
  const data = { ...targetOf(attempt), attempts: attempt.number, reason, ...ofReplay };
  const id = derivedId('rec', attempted.id, 'parked');
  const { version } = attempted;
  return { ...envelope(attempt, attempted.at), id, type: 'DeliveryParked', version, data, causationId: attempted.id };
}

function disableWebhook(attempt: Attempt, attempted: DeliveryEvent): DisableWebhook {
  const { webhookId } = attempt.cursor.subscription.webhook;
  return {
    ...envelope(attempt, attempted.at),
    id: derivedId('cmd', attempted.id),
    type: 'DisableWebhook',
    key: webhookId,
    data: { webhookId, reason: 'gone', generation: attempt.generation },
    causationId: attempted.id,
  };
}

function targetOf({ cursor, event, messageId }: Pick<Attempt, 'cursor' | 'event' | 'messageId'>): DeliveryTarget {
  return {
    subscriptionId: cursor.subscription.subscriptionId,
    webhookId: cursor.subscription.webhook.webhookId,
    emitterId: event.emitterId,
    eventId: event.eventId,
    channel: event.channel,
    webhookMessageId: messageId,
  };
}

function envelope({ cursor, event }: Pick<Attempt, 'cursor' | 'event'>, at: Millis) {
  const { subscriptionId, workspace } = cursor.subscription;
  return { version: 1, key: subscriptionId, at, workspace, correlationId: event.correlationId };
}
