// Sealing: AES-256-GCM under a workspace's data key, bound to the workspace so that a value cannot be moved to another.
import { createCipheriv, createDecipheriv } from 'node:crypto';
import type { Json } from '../json.ts';
import type { Sealed } from './sealed.ts';

const cipher = 'aes-256-gcm';
/** 96 bits, as NIST SP 800-38D recommends; the caller draws them. */
export const nonceBytes = 12;
const tagBytes = 16;
/** The size of a key of AES-256. */
export const keyBytes = 32;

/** Base64 of nonce, tag and ciphertext. */
export function encrypt(key: Buffer, plain: Buffer, nonce: Buffer, context: string): string {
  const encrypting = createCipheriv(cipher, key, nonce);
  encrypting.setAAD(Buffer.from(context));
  const ciphertext = Buffer.concat([encrypting.update(plain), encrypting.final()]);
  return Buffer.concat([nonce, encrypting.getAuthTag(), ciphertext]).toString('base64');
}

/** Throws when the key, the context or a byte is not the one it was encrypted with. */
export function decrypt(key: Buffer, sealed: string, context: string): Buffer {
  const bytes = Buffer.from(sealed, 'base64');
  const decrypting = createDecipheriv(cipher, key, bytes.subarray(0, nonceBytes), { authTagLength: tagBytes });
  decrypting.setAAD(Buffer.from(context));
  decrypting.setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes));
  return Buffer.concat([decrypting.update(bytes.subarray(nonceBytes + tagBytes)), decrypting.final()]);
}

export function seal(dataKey: Buffer, value: Json, nonce: Buffer, workspace: string): Sealed {
  return { $sealed: encrypt(dataKey, Buffer.from(JSON.stringify(value)), nonce, workspace) };
}

/** The value as it was sealed. Throws as `decrypt` does. */
export function unseal(dataKey: Buffer, sealed: Sealed, workspace: string): Json {
  return JSON.parse(decrypt(dataKey, sealed.$sealed, workspace).toString()) as Json;
}

/** Seals bytes without converting them to text: data of a record's full size has no room for that. */
export const sealBytes = (dataKey: Buffer, bytes: Buffer, nonce: Buffer, workspace: string): Sealed => ({
  $sealed: encrypt(dataKey, bytes, nonce, workspace),
});

/** Throws as `decrypt` does. */
export const unsealBytes = (dataKey: Buffer, sealed: Sealed, workspace: string): Buffer =>
  decrypt(dataKey, sealed.$sealed, workspace);

/** Whether a stored value is sealed; user objects cannot pass for one because the gateway refuses props named `$...`. */
export function isSealed(value: unknown): value is Sealed {
  if (typeof value !== 'object' || value === null) return false;
  const names = Object.keys(value);
  return names.length === 1 && names[0] === '$sealed' && typeof (value as Sealed).$sealed === 'string';
}
