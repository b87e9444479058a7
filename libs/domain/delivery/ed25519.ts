// Ed25519 key pairs: receivers can check the signatures but not make them (Standard Webhooks, `v1a`).
import { createPrivateKey, createPublicKey } from 'node:crypto';
import type { KeyObject } from 'node:crypto';

/** The size of the seed, and of the private and the public key. */
export const seedBytes = 32;

const privatePrefix = 'whsk_';
const publicPrefix = 'whpk_';
/** PKCS #8 of an Ed25519 private key, up to its seed (RFC 8410). */
const pkcs8 = Buffer.from('302e020100300506032b657004220420', 'hex');

export interface KeyPair {
  /** `whsk_` and base64 of seed and public key. */
  readonly privateKey: string;
  /** `whpk_` and base64 of the public key. */
  readonly publicKey: string;
}

/** Makes a pair from random bytes, which the caller draws. */
export function pairFromSeed(seed: Buffer): KeyPair {
  const spki = createPublicKey(privateKeyFrom(seed)).export({ format: 'der', type: 'spki' });
  const publicBytes = spki.subarray(-seedBytes);
  return {
    privateKey: privatePrefix + Buffer.concat([seed, publicBytes]).toString('base64'),
    publicKey: publicPrefix + publicBytes.toString('base64'),
  };
}

export const isPrivateKey = (secret: string): boolean => secret.startsWith(privatePrefix);

/** The key of a `whsk_...` secret. Throws if the text is not one. */
export function privateKeyOf(secret: string): KeyObject {
  const bytes = Buffer.from(secret.slice(privatePrefix.length), 'base64');
  if (!isPrivateKey(secret) || bytes.length !== 2 * seedBytes)
    throw new Error('A private signing key is whsk_ and the base64 of 64 bytes.');
  return privateKeyFrom(bytes.subarray(0, seedBytes));
}

const privateKeyFrom = (seed: Buffer): KeyObject =>
  createPrivateKey({ key: Buffer.concat([pkcs8, seed]), format: 'der', type: 'pkcs8' });
