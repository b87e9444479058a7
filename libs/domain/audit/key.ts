// The keys that sign checkpoints: Ed25519, the private half sealed by the master key and bound to the key's id.
import type { KeyObject } from 'node:crypto';
import { keyIdOf, publicKeyOf } from '../../verifier/checkpoint.ts';
import { privateKeyFromSeed, publicBytesOf } from '../keys/ed25519-seed.ts';
import { decrypt, encrypt } from '../secrets/seal.ts';
import { auditKeyKey } from './messages.ts';
import type { AuditKeyMade } from './messages.ts';

export interface AuditKey {
  readonly keyId: string;
  readonly privateKey: KeyObject;
}

const context = (keyId: string): string => `audit key ${keyId}`;
const publicKeyTextOf = (privateKey: KeyObject): string => publicBytesOf(privateKey).toString('base64');

/** The caller draws `secret` and `nonce` at random. */
export function createAuditKey(masterKey: Buffer, secret: Buffer, nonce: Buffer): AuditKeyMade {
  const publicKey = publicKeyTextOf(privateKeyFromSeed(secret));
  const keyId = keyIdOf(publicKey);
  return { keyId, publicKey, sealed: encrypt(masterKey, secret, nonce, context(keyId)) };
}

/**
 * A key's id follows from the key, and its record's key from the id: a record that differs was not written by this
 * service.
 */
export const isConsistentAuditKey = (recordKey: string, { keyId, publicKey }: AuditKeyMade): boolean =>
  recordKey === auditKeyKey(keyId) && publicKeyOf(publicKey) !== undefined && keyIdOf(publicKey) === keyId;

/** Undefined: the master key does not open it, or its contents do not match its public key and id. */
export function openAuditKey(masterKey: Buffer, { keyId, publicKey, sealed }: AuditKeyMade): AuditKey | undefined {
  try {
    const privateKey = privateKeyFromSeed(decrypt(masterKey, sealed, context(keyId)));
    const isConsistent = publicKeyTextOf(privateKey) === publicKey && keyIdOf(publicKey) === keyId;
    return isConsistent ? { keyId, privateKey } : undefined;
  } catch {
    return undefined;
  }
}
