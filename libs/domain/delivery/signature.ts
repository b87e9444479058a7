// Standard Webhooks signatures: HMAC-SHA256 over `id.timestamp.body` with each key that is valid now.
import { createHmac, createSecretKey } from 'node:crypto';
import type { KeyObject } from 'node:crypto';

const secretPrefix = 'whsec_';

/**
 * The key of a `whsec_...` secret, as an object: from bytes it would be made anew for each signature, at five times the cost.
 * Throws on text that is none: a webhook without a key must not be sent unsigned.
 */
export function signingKeyOf(secret: string): KeyObject {
  const base64 = secret.startsWith(secretPrefix) ? secret.slice(secretPrefix.length) : '';
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(base64)) throw new Error('A signing key is whsec_ and base64.');
  return createSecretKey(Buffer.from(base64, 'base64'));
}

/** A `whsec_...` secret from random bytes (24 to 64, Standard Webhooks), which the caller draws. */
export const secretFromBytes = (bytes: Buffer): string => secretPrefix + bytes.toString('base64');

/** The `webhook-signature` header: one `v1,<base64>` for each key, separated by spaces. */
export function signature(
  keys: readonly KeyObject[],
  message: { readonly id: string; readonly timestampSeconds: number; readonly body: string },
): string {
  const content = `${message.id}.${message.timestampSeconds}.${message.body}`;
  let header = '';
  for (const key of keys) {
    const mac = createHmac('sha256', key).update(content).digest('base64');
    header += header === '' ? `v1,${mac}` : ` v1,${mac}`;
  }
  return header;
}
