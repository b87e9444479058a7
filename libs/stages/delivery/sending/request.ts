// The POST of one attempt: the raw emitted event under Standard Webhooks headers, and those that Pipedream's clients know.
import { pipedreamSignature, standardSignature } from '../../../domain/delivery/signature.ts';
import type { SigningKey } from '../../../domain/delivery/signature.ts';
import { derivedId } from '../../../domain/id.ts';
import type { Millis } from '../../../domain/message.ts';
import type { WebhookRequest } from '../../../webhooks/webhook.ts';
import type { BufferedEvent } from '../cursors/buffer.ts';
import type { SubscriptionTarget } from '../listeners/target.ts';

const userAgent = 'Wellspring-Webhooks/1';

/** An event signed as one subscription's message, for one second. */
export interface SignedMessage {
  readonly offset: number;
  /** The `webhook-id`: the same at every attempt, after a crash too, so that the receiver can drop copies. */
  readonly messageId: string;
  readonly timestampSeconds: number;
  readonly signature: string;
  readonly pipedreamSignature: string;
}

export const messageIdOf = (subscriptionId: string, { emitterId, eventId }: BufferedEvent): string =>
  derivedId('msg', subscriptionId, emitterId, eventId);

export function sign(
  event: BufferedEvent,
  { subscriptionId }: SubscriptionTarget,
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
  };
}

/** Whether a message that was signed ahead is this event's, and its timestamp is still right. */
export function isCurrent(
  signed: SignedMessage | undefined,
  event: BufferedEvent,
  at: Millis,
): signed is SignedMessage {
  return signed?.offset === event.offset && signed.timestampSeconds === Math.floor(at / 1000);
}

/** `replayId`: the replay that sends the event again, as it was. */
export function requestOf(
  url: string,
  event: BufferedEvent,
  signed: SignedMessage,
  replayId: string | undefined,
): WebhookRequest {
  return {
    url,
    headers: {
      'content-type': 'application/json',
      'user-agent': userAgent,
      'webhook-id': signed.messageId,
      'webhook-timestamp': String(signed.timestampSeconds),
      'webhook-signature': signed.signature,
      'x-pd-emitter-id': event.emitterId,
      'x-pd-timestamp': new Date(signed.timestampSeconds * 1000).toISOString(),
      'x-pd-signature': signed.pipedreamSignature,
      ...(replayId === undefined ? {} : { 'webhook-replay': 'true', 'webhook-replay-id': replayId }),
      ...(event.isSample === true ? { 'x-wellspring-sample': 'true' } : {}),
    },
    body: event.body,
  };
}
