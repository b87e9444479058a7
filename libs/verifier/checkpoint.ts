// The fields of a partition's checkpoint, the line that is signed, and its signatures.
import { createPublicKey, sign, verify } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { sha256Hex } from './tree/hashes.ts';

export const checkpointVersion = 1;

export interface Checkpoint {
  readonly version: number;
  readonly topic: string;
  readonly partition: number;
  /** How many records the partition has held so far; the first one has number 0. */
  readonly count: number;
  /** The root of the Merkle tree over all of them, in hex. */
  readonly root: string;
  /** The latest time of any of them, in epoch milliseconds. */
  readonly newest: number;
  /** How many records retention might have removed from the beginning. */
  readonly trimmed: number;
  /** SHA-256 of the line of the partition's previous checkpoint, in hex; empty at the first. */
  readonly previous: string;
  /** When it was signed, in epoch milliseconds. */
  readonly time: number;
  /** The key that signed it; right after a change of keys, the new one. */
  readonly keyId: string;
}

export interface Signature {
  readonly keyId: string;
  /** Ed25519 over the line's UTF-8 bytes, in base64. */
  readonly signature: string;
}

/** Returns the signed text: the order of the fields must not change. */
export const checkpointLine = (checkpoint: Checkpoint): string =>
  JSON.stringify({
    version: checkpoint.version,
    topic: checkpoint.topic,
    partition: checkpoint.partition,
    count: checkpoint.count,
    root: checkpoint.root,
    newest: checkpoint.newest,
    trimmed: checkpoint.trimmed,
    previous: checkpoint.previous,
    time: checkpoint.time,
    keyId: checkpoint.keyId,
  });

/** A public Ed25519 key: its 32 bytes in base64. */
const keyText = /^[A-Za-z0-9+/]{43}=$/;

/**
 * Returns a key's id, the SHA-256 of its bytes in hex: a signed text that contains the id vouches for the key itself.
 */
export const keyIdOf = (publicKey: string): string => sha256Hex(Buffer.from(publicKey, 'base64'));

/** Reads a public key; undefined for a text that is none. */
export function publicKeyOf(publicKey: string): KeyObject | undefined {
  if (!keyText.test(publicKey)) return undefined;
  const x = Buffer.from(publicKey, 'base64').toString('base64url');
  try {
    return createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
  } catch {
    return undefined;
  }
}

export const signLine = (line: string, privateKey: KeyObject): string =>
  sign(null, Buffer.from(line), privateKey).toString('base64');

/** Whether this key signed the line. */
export const isSigned = (line: string, signature: string, publicKey: KeyObject): boolean =>
  verify(null, Buffer.from(line), publicKey, Buffer.from(signature, 'base64'));
