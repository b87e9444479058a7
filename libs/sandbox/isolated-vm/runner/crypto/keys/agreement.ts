// Key agreement by elliptic curves, which is cheap. Groups of primes are not offered: callers would choose their cost.
import crypto from 'node:crypto';
import { within } from '../costs.ts';
import { keyFor } from './asymmetric-keys.ts';

/** The largest point, of a curve of 571 bits, has 145 bytes. */
const pointBytesMax = 256;
const kinds: ReadonlySet<unknown> = new Set(['ec', 'x25519', 'x448']);

const exact = (bytes: Uint8Array): ArrayBuffer => new Uint8Array(bytes).buffer;

function point(bytes: ArrayBuffer): Buffer {
  within('The bytes of the key', bytes.byteLength, pointBytesMax);
  return Buffer.from(bytes);
}

function withPrivate(curve: string, bytes: ArrayBuffer): crypto.ECDH {
  const own = crypto.createECDH(curve);
  own.setPrivateKey(point(bytes));
  return own;
}

/** Throws for a curve that OpenSSL does not know. */
export const ecdhCheck = (curve: string): undefined => void crypto.createECDH(curve);

/** Returns a private key and its public key. */
export function ecdhKeys(curve: string): readonly [ArrayBuffer, ArrayBuffer] {
  const own = crypto.createECDH(curve);
  const made = own.generateKeys();
  return [exact(own.getPrivateKey()), exact(made)];
}

export const ecdhPublic = (curve: string, own: ArrayBuffer): ArrayBuffer =>
  exact(withPrivate(curve, own).getPublicKey());

export const ecdhSecret = (curve: string, own: ArrayBuffer, other: ArrayBuffer): ArrayBuffer =>
  exact(withPrivate(curve, own).computeSecret(point(other)));

export const ecdhConvert = (curve: string, bytes: ArrayBuffer, format: 'compressed'): ArrayBuffer =>
  exact(crypto.ECDH.convertKey(point(bytes), curve, undefined, undefined, format) as never);

/** The shared secret; both arguments are JSON texts of keys. */
export function agreed(own: string, other: string): ArrayBuffer {
  const privateKey = (keyFor('private', own) as { key: crypto.KeyObject }).key;
  const publicKey = (keyFor('public', other) as { key: crypto.KeyObject }).key;
  if (![privateKey, publicKey].every(({ asymmetricKeyType }) => kinds.has(asymmetricKeyType)))
    throw new Error('Components can agree on keys only by elliptic curves, X25519 or X448');
  return exact(crypto.diffieHellman({ privateKey, publicKey }));
}
