// Signatures of deliveries with every valid key: in the form of Standard Webhooks, and in that of Pipedream's clients.
import { createHmac, createSecretKey } from 'node:crypto';
import type { KeyObject } from 'node:crypto';

const secretPrefix = 'whsec_';

/** One secret as key objects: from bytes, each signature would create the key again, at five times the cost. */
export interface SigningKey {
  /** The decoded base64: the key of Standard Webhooks. */
  readonly decoded: KeyObject;
  /** The text as shown to the user, with its prefix: the key of `x-pd-signature`. */
  readonly text: KeyObject;
}

/** What an attempt signs. */
export interface Signable {
  readonly id: string;
  readonly timestampSeconds: number;
  readonly body: string;
}

/** Of a `whsec_...` secret. Throws on invalid text: a webhook without a key must not be sent unsigned. */
export function signingKeyOf(secret: string): SigningKey {
  const base64 = secret.startsWith(secretPrefix) ? secret.slice(secretPrefix.length) : '';
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(base64)) throw new Error('A signing key is whsec_ and base64.');
  return { decoded: createSecretKey(Buffer.from(base64, 'base64')), text: createSecretKey(Buffer.from(secret)) };
}

/** A `whsec_...` secret from random bytes (24 to 64, Standard Webhooks), which the caller draws. */
export const secretFromBytes = (bytes: Buffer): string => secretPrefix + bytes.toString('base64');

/** The `webhook-signature` header: one `v1,<base64>` for each key over `id.timestamp.body`, separated by spaces. */
export function standardSignature(keys: readonly SigningKey[], { id, timestampSeconds, body }: Signable): string {
  const content = `${id}.${timestampSeconds}.${body}`;
  return keys.map(({ decoded }) => `v1,${createHmac('sha256', decoded).update(content).digest('base64')}`).join(' ');
}

/** The `x-pd-signature` header: `t=<epoch seconds>`, then one `v1=<hex>` for each key over `t.body`. */
export function pipedreamSignature(keys: readonly SigningKey[], { timestampSeconds, body }: Signable): string {
  const content = `${timestampSeconds}.${body}`;
  const macs = keys.map(({ text }) => `v1=${createHmac('sha256', text).update(content).digest('hex')}`);
  return [`t=${timestampSeconds}`, ...macs].join(',');
}
