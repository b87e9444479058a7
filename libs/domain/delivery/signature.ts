// Signs deliveries with every valid key, in the format of Standard Webhooks and in that of Pipedream's clients.
import { createHmac, createSecretKey, sign } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { isPrivateKey, privateKeyOf } from './ed25519.ts';

const secretPrefix = 'whsec_';

/** A secret as key objects. With raw bytes, each signature would create the key again, at five times the cost. */
export type SigningKey =
  | {
      readonly kind: 'hmac';
      /** The decoded base64: the key of Standard Webhooks. */
      readonly decoded: KeyObject;
      /** The text as shown to the user, with its prefix: the key of `x-pd-signature`. */
      readonly text: KeyObject;
    }
  | { readonly kind: 'ed25519'; readonly privateKey: KeyObject };

/** What an attempt signs. */
export interface Signable {
  readonly id: string;
  readonly timestampSeconds: number;
  readonly body: string;
}

/** The key of a `whsec_...` or `whsk_...` secret. Throws on invalid text: nothing may be sent unsigned. */
export function signingKeyOf(secret: string): SigningKey {
  if (isPrivateKey(secret)) return { kind: 'ed25519', privateKey: privateKeyOf(secret) };
  const base64 = secret.startsWith(secretPrefix) ? secret.slice(secretPrefix.length) : '';
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(base64)) throw new Error('A signing key is whsec_ and base64.');
  const [decoded, text] = [Buffer.from(base64, 'base64'), Buffer.from(secret)];
  return { kind: 'hmac', decoded: createSecretKey(decoded), text: createSecretKey(text) };
}

/** A `whsec_...` secret from random bytes (24 to 64, Standard Webhooks), which the caller draws. */
export const secretFromBytes = (bytes: Buffer): string => secretPrefix + bytes.toString('base64');

/** The `webhook-signature` header: `v1,<base64>` or `v1a,<base64>` for each key over `id.timestamp.body`, separated by spaces. */
export function standardSignature(keys: readonly SigningKey[], { id, timestampSeconds, body }: Signable): string {
  const content = `${id}.${timestampSeconds}.${body}`;
  return keys.map((key) => signatureBy(key, content)).join(' ');
}

function signatureBy(key: SigningKey, content: string): string {
  if (key.kind === 'hmac') return `v1,${createHmac('sha256', key.decoded).update(content).digest('base64')}`;
  return `v1a,${sign(null, Buffer.from(content), key.privateKey).toString('base64')}`;
}

/**
 * The `x-pd-signature` header: `t=<epoch seconds>`, then one `v1=<hex>` for each HMAC key over `t.body`; empty without
 * any.
 */
export function pipedreamSignature(keys: readonly SigningKey[], { timestampSeconds, body }: Signable): string {
  const content = `${timestampSeconds}.${body}`;
  const macs = keys.flatMap((key) =>
    key.kind === 'hmac' ? [`v1=${createHmac('sha256', key.text).update(content).digest('hex')}`] : [],
  );
  return macs.length === 0 ? '' : [`t=${timestampSeconds}`, ...macs].join(',');
}
