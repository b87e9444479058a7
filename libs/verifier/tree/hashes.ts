// Computes the three hashes of a Merkle tree (RFC 6962, 2.1): SHA-256, with different prefixes for leaves and nodes.
import { hash } from 'node:crypto';

/** A SHA-256 digest: 32 bytes. */
export type Digest = Buffer;

export const digestBytes = 32;

/** Goes through a string: a buffer from the hash itself has its own memory, which is two to three times as slow. */
export const sha256 = (content: string | Uint8Array): Digest =>
  Buffer.from(hash('sha256', content, 'binary'), 'latin1');
export const sha256Hex = (content: string | Uint8Array): string => hash('sha256', content, 'hex');

/** The root of a tree without leaves. */
export const emptyRoot = (): Digest => sha256('');

/** Hashes a leaf's text, in UTF-8. */
export const leafHash = (text: string): Digest => sha256(`\u0000${text}`);

/** Overwritten at each call, which is synchronous. */
const node = Buffer.alloc(1 + 2 * digestBytes, 1);

export function nodeHash(left: Uint8Array, right: Uint8Array): Digest {
  node.set(left, 1);
  node.set(right, 1 + digestBytes);
  return sha256(node);
}

/** Reads a digest from its lower-case hex form; anything else is undefined. */
export const digestOf = (hex: string): Digest | undefined =>
  /^[0-9a-f]{64}$/.test(hex) ? Buffer.from(hex, 'hex') : undefined;
