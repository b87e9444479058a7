// Ed25519 keys from and to the bare 32 bytes that are stored and shown.
import { createPrivateKey, createPublicKey } from 'node:crypto';
import type { KeyObject } from 'node:crypto';

/** The size of the seed, which is random bytes, and that of a public key. */
export const seedBytes = 32;

/** The bytes before the seed in the DER form of PKCS #8 (RFC 8410). */
const pkcs8Head = Buffer.from('302e020100300506032b657004220420', 'hex');

export const privateKeyFromSeed = (seed: Buffer): KeyObject =>
  createPrivateKey({ key: Buffer.concat([pkcs8Head, seed]), format: 'der', type: 'pkcs8' });

export const publicBytesOf = (privateKey: KeyObject): Buffer =>
  createPublicKey(privateKey).export({ format: 'der', type: 'spki' }).subarray(-seedBytes);
