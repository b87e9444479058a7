// The keys that sign checkpoints: Ed25519, the private half sealed by the master key and bound to the key's id.
import { createPrivateKey, createPublicKey } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { keyIdOf, publicKeyOf } from '../../verifier/checkpoint.ts';
import { decrypt, encrypt } from '../secrets/seal.ts';
import { auditKeyKey } from './messages.ts';
import type { AuditKeyMade } from './messages.ts';

/** The size of a private key, which is random bytes. */
export const auditKeyBytes = 32;
/** The bytes before the private key in the DER form of PKCS #8 (RFC 8410). */
const pkcs8Head = Buffer.from('302e020100300506032b657004220420', 'hex');

export interface AuditKey {
  readonly keyId: string;
  readonly privateKey: KeyObject;
}

const context = (keyId: string): string => `audit key ${keyId}`;
const privateKeyOf = (secret: Buffer): KeyObject =>
  createPrivateKey({ key: Buffer.concat([pkcs8Head, secret]), format: 'der', type: 'pkcs8' });
const publicTextOf = (privateKey: KeyObject): string => {
  const der = createPublicKey(privateKey).export({ format: 'der', type: 'spki' });
  return der.subarray(-auditKeyBytes).toString('base64');
};

/** The caller draws `secret` and `nonce` at random. */
export function auditKeyMade(masterKey: Buffer, secret: Buffer, nonce: Buffer): AuditKeyMade {
  const publicKey = publicTextOf(privateKeyOf(secret));
  const keyId = keyIdOf(publicKey);
  return { keyId, publicKey, sealed: encrypt(masterKey, secret, nonce, context(keyId)) };
}

/**
 * A key's id follows from the key, and its record's key from the id: a record that differs was not written by this
 * service.
 */
export const isAuditKey = (recordKey: string, { keyId, publicKey }: AuditKeyMade): boolean =>
  recordKey === auditKeyKey(keyId) && publicKeyOf(publicKey) !== undefined && keyIdOf(publicKey) === keyId;

/** Undefined: the master key does not open it, or its contents do not match its public key and id. */
export function openAuditKey(masterKey: Buffer, { keyId, publicKey, sealed }: AuditKeyMade): AuditKey | undefined {
  try {
    const privateKey = privateKeyOf(decrypt(masterKey, sealed, context(keyId)));
    const isItself = publicTextOf(privateKey) === publicKey && keyIdOf(publicKey) === keyId;
    return isItself ? { keyId, privateKey } : undefined;
  } catch {
    return undefined;
  }
}
