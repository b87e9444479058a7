// The POST of one attempt: the raw emitted event under Standard Webhooks headers.
import type { KeyObject } from 'node:crypto';
import { signature } from '../../../domain/delivery/signature.ts';
import { derivedId } from '../../../domain/id.ts';
import type { Millis } from '../../../domain/message.ts';
import type { WebhookRequest } from '../../../webhooks/webhook.ts';
import type { BufferedEvent } from '../cursors/buffer.ts';
import type { SubscriptionTarget } from '../listeners/target.ts';

const userAgent = 'Wellspring-Webhooks/1';

/** What makes an event one subscription's message, at one second. */
export interface SignedMessage {
  readonly offset: number;
  /** The `webhook-id`: the same at every attempt, after a crash too, so that the receiver can drop copies. */
  readonly messageId: string;
  readonly timestampSeconds: number;
  readonly signature: string;
}

export const messageIdOf = (subscriptionId: string, { emitterId, eventId }: BufferedEvent): string =>
  derivedId('msg', subscriptionId, emitterId, eventId);

export function sign(
  event: BufferedEvent,
  { subscriptionId }: SubscriptionTarget,
  keys: readonly KeyObject[],
  at: Millis,
): SignedMessage {
  const { offset, body } = event;
  const messageId = messageIdOf(subscriptionId, event);
  const timestampSeconds = Math.floor(at / 1000);
  return {
    offset,
    messageId,
    timestampSeconds,
    signature: signature(keys, { id: messageId, timestampSeconds, body }),
  };
}

/** Whether a message that was signed ahead is this event's, and still says the time. */
export function isCurrent(
  signed: SignedMessage | undefined,
  event: BufferedEvent,
  at: Millis,
): signed is SignedMessage {
  return signed?.offset === event.offset && signed.timestampSeconds === Math.floor(at / 1000);
}

export function requestOf(url: string, event: BufferedEvent, signed: SignedMessage): WebhookRequest {
  return {
    url,
    headers: {
      'content-type': 'application/json',
      'user-agent': userAgent,
      'webhook-id': signed.messageId,
      'webhook-timestamp': String(signed.timestampSeconds),
      'webhook-signature': signed.signature,
      'x-pd-emitter-id': event.emitterId,
    },
    body: event.body,
  };
}
