// Makes the request with which a webhook would receive an event, signed the same way (docs/reference/delivery.md).
import { createHash, createHmac } from 'node:crypto';
import type { EventSummary } from '../../../libs/client/index.ts';

const prefix = 'whsec_';
const keyBytes = 24;

/** Always the same for an API key, so that a receiver is configured once; the API key cannot be derived from it. */
export const listeningKey = (apiKey: string): string =>
  prefix + createHmac('sha256', apiKey).update('pd listen').digest().subarray(0, keyBytes).toString('base64');

export interface SignedRequest {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export function signedRequest({ id, event, metadata }: EventSummary, key: string, atMs: number): SignedRequest {
  const body = JSON.stringify(event);
  const seconds = String(Math.floor(atMs / 1_000));
  const digest = createHash('sha256').update(`${metadata.emitter_id}.${id}`).digest('hex');
  const messageId = `msg_${digest.slice(0, 16)}`;
  const secret = Buffer.from(key.slice(prefix.length), 'base64');
  const signature = createHmac('sha256', secret).update(`${messageId}.${seconds}.${body}`).digest('base64');
  return {
    headers: {
      'content-type': 'application/json',
      'user-agent': 'Wellspring-Webhooks/1',
      'webhook-id': messageId,
      'webhook-timestamp': seconds,
      'webhook-signature': `v1,${signature}`,
      'x-pd-emitter-id': metadata.emitter_id,
      'x-pd-timestamp': new Date(Number(seconds) * 1_000).toISOString(),
      'x-pd-signature': `t=${seconds},v1=${createHmac('sha256', key).update(`${seconds}.${body}`).digest('hex')}`,
    },
    body,
  };
}
