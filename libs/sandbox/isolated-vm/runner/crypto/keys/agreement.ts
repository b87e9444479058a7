// Key agreement by elliptic curves, which is cheap. Groups of primes are not offered: callers would choose their cost.
import crypto from 'node:crypto';
import { checkRange } from '../costs.ts';
import { keyFor } from './asymmetric-keys.ts';

/** The largest point, of a curve of 571 bits, has 145 bytes. */
const pointBytesMax = 256;
const kinds: ReadonlySet<unknown> = new Set(['ec', 'x25519', 'x448']);

const toArrayBuffer = (bytes: Uint8Array): ArrayBuffer => new Uint8Array(bytes).buffer;

function pointBytes(bytes: ArrayBuffer): Buffer {
  checkRange('The bytes of the key', bytes.byteLength, pointBytesMax);
  return Buffer.from(bytes);
}

function ecdhWithPrivateKey(curve: string, bytes: ArrayBuffer): crypto.ECDH {
  const ecdh = crypto.createECDH(curve);
  ecdh.setPrivateKey(pointBytes(bytes));
  return ecdh;
}

/** Throws for a curve that OpenSSL does not know. */
export const ecdhCheck = (curve: string): undefined => void crypto.createECDH(curve);

/** Returns a private key and its public key. */
export function ecdhKeys(curve: string): readonly [ArrayBuffer, ArrayBuffer] {
  const ecdh = crypto.createECDH(curve);
  const publicKey = ecdh.generateKeys();
  return [toArrayBuffer(ecdh.getPrivateKey()), toArrayBuffer(publicKey)];
}

export const ecdhPublic = (curve: string, privateKey: ArrayBuffer): ArrayBuffer =>
  toArrayBuffer(ecdhWithPrivateKey(curve, privateKey).getPublicKey());

export const ecdhSecret = (curve: string, privateKey: ArrayBuffer, otherPublicKey: ArrayBuffer): ArrayBuffer =>
  toArrayBuffer(ecdhWithPrivateKey(curve, privateKey).computeSecret(pointBytes(otherPublicKey)));

export const ecdhConvert = (curve: string, bytes: ArrayBuffer, format: 'compressed'): ArrayBuffer =>
  toArrayBuffer(crypto.ECDH.convertKey(pointBytes(bytes), curve, undefined, undefined, format) as never);

/** The shared secret; both arguments are JSON texts of keys. */
export function agreeOnSecret(privateText: string, publicText: string): ArrayBuffer {
  const privateKey = (keyFor('private', privateText) as { key: crypto.KeyObject }).key;
  const publicKey = (keyFor('public', publicText) as { key: crypto.KeyObject }).key;
  if (![privateKey, publicKey].every(({ asymmetricKeyType }) => kinds.has(asymmetricKeyType)))
    throw new Error('Components can agree on keys only by elliptic curves, X25519 or X448');
  return toArrayBuffer(crypto.diffieHellman({ privateKey, publicKey }));
}
