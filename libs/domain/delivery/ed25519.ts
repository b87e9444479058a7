// Ed25519 key pairs: receivers can check the signatures but not make them (Standard Webhooks, `v1a`).
import type { KeyObject } from 'node:crypto';
import { privateKeyFromSeed, publicBytesOf, seedBytes } from '../keys/ed25519-seed.ts';

const privatePrefix = 'whsk_';
const publicPrefix = 'whpk_';

export interface KeyPair {
  /** `whsk_` and base64 of seed and public key. */
  readonly privateKey: string;
  /** `whpk_` and base64 of the public key. */
  readonly publicKey: string;
}

/** Makes a pair from random bytes, which the caller draws. */
export function keyPairFromSeed(seed: Buffer): KeyPair {
  const publicBytes = publicBytesOf(privateKeyFromSeed(seed));
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
  return privateKeyFromSeed(bytes.subarray(0, seedBytes));
}
