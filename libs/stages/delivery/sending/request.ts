// The POST of one attempt: the raw emitted event under Standard Webhooks headers.
import type { KeyObject } from 'node:crypto';
import { signature } from '../../../domain/delivery/signature.ts';
import type { WebhookRequest } from '../../../webhooks/webhook.ts';
import type { Attempt } from '../records/attempt-records.ts';

const userAgent = 'Wellspring-Webhooks/1';

export function requestOf(attempt: Attempt, keys: readonly KeyObject[]): WebhookRequest {
  const { cursor, event, messageId } = attempt;
  const timestampSeconds = Math.floor(attempt.startedAt / 1000);
  return {
    url: cursor.subscription.webhook.url,
    headers: {
      'content-type': 'application/json',
      'user-agent': userAgent,
      'webhook-id': messageId,
      'webhook-timestamp': String(timestampSeconds),
      'webhook-signature': signature(keys, { id: messageId, timestampSeconds, body: event.body }),
      'x-pd-emitter-id': event.emitterId,
    },
    body: event.body,
  };
}
