// Builds the POST of one attempt: the raw emitted event with headers of Standard Webhooks and of Pipedream's clients.
import { pipedreamSignature, standardSignature } from '../../../domain/delivery/signature.ts';
import type { SigningKey } from '../../../domain/delivery/signature.ts';
import { derivedId } from '../../../domain/id.ts';
import type { Millis } from '../../../domain/message.ts';
import { traceparentOf } from '../../../domain/trace/traceparent.ts';
import type { WebhookRequest } from '../../../webhooks/webhook.ts';
import type { BufferedEvent } from '../events/buffer.ts';
import type { SubscriptionTarget, WebhookTarget } from './target.ts';

const userAgent = 'Wellspring-Webhooks/1';

/** An event signed as one subscription's message, for one second. */
export interface SignedMessage {
  readonly offset: number;
  /** The `webhook-id`: the same at every attempt, also after a crash, so that the receiver can drop copies. */
  readonly messageId: string;
  readonly timestampSeconds: number;
  readonly signature: string;
  readonly pipedreamSignature: string;
  /** The keys that signed it. */
  readonly keys: readonly SigningKey[];
}

export const messageIdOf = (
  subscriptionId: string,
  { emitterId, eventId }: Pick<BufferedEvent, 'emitterId' | 'eventId'>,
): string => derivedId('msg', subscriptionId, emitterId, eventId);

interface SentAttempt {
  readonly messageId: string;
  /** The attempt's number, from 1. */
  readonly number: number;
  /** The replay that sends the event again, unchanged. */
  readonly replayId: string | undefined;
}

/** The id of an attempt's record, which exists once the attempt has ended. */
export const attemptId = ({ messageId, number, replayId }: SentAttempt): string =>
  `rec_${messageId.slice('msg_'.length)}-${number}${replayId === undefined ? '' : `-${replayId}`}`;

export function sign(
  event: BufferedEvent,
  { subscriptionId }: Pick<SubscriptionTarget, 'subscriptionId'>,
  keys: readonly SigningKey[],
  at: Millis,
): SignedMessage {
  const { offset, body } = event;
  const messageId = messageIdOf(subscriptionId, event);
  const timestampSeconds = Math.floor(at / 1000);
  const signable = { id: messageId, timestampSeconds, body };
  return {
    offset,
    messageId,
    timestampSeconds,
    signature: standardSignature(keys, signable),
    pipedreamSignature: pipedreamSignature(keys, signable),
    keys,
  };
}

/** Whether a message signed ahead is for this event, with these keys and a timestamp that is still right. */
export function isCurrent(
  signed: SignedMessage | undefined,
  { event, at, keys }: { readonly event: BufferedEvent; readonly at: Millis; readonly keys: readonly SigningKey[] },
): signed is SignedMessage {
  return signed?.offset === event.offset && signed.timestampSeconds === Math.floor(at / 1000) && signed.keys === keys;
}

export function requestOf(
  { url, timeoutMs, headers }: Pick<WebhookTarget, 'url' | 'timeoutMs' | 'headers'>,
  event: BufferedEvent,
  signed: SignedMessage,
  { number, replayId }: Omit<SentAttempt, 'messageId'>,
): WebhookRequest {
  const id = attemptId({ messageId: signed.messageId, number, replayId });
  return {
    url,
    workspace: event.workspace,
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    headers: {
      'content-type': 'application/json',
      'user-agent': userAgent,
      // The same as on the attempt's record.
      traceparent: traceparentOf({ id, correlationId: event.correlationId }),
      ...headers,
      'webhook-id': signed.messageId,
      'webhook-timestamp': String(signed.timestampSeconds),
      'webhook-signature': signed.signature,
      'x-pd-emitter-id': event.emitterId,
      'x-pd-timestamp': new Date(signed.timestampSeconds * 1000).toISOString(),
      // Pipedream's clients do not know key pairs.
      ...(signed.pipedreamSignature === '' ? {} : { 'x-pd-signature': signed.pipedreamSignature }),
      ...(replayId === undefined ? {} : { 'webhook-replay': 'true', 'webhook-replay-id': replayId }),
      ...(event.isSample === true ? { 'x-wellspring-sample': 'true' } : {}),
    },
    body: event.body,
  };
}
