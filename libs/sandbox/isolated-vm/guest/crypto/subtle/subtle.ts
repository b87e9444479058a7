// crypto.subtle, as far as components use it: digests and signatures; the rest is in the files next to this one.
import { ask } from '../../core/bridge.ts';
import { askBytes, toArrayBuffer, sourceOf } from '../bytes.ts';
import { timingSafeEqual } from '../equal.ts';
import { createHash, createHmac } from '../hash.ts';
import { keyText } from '../keys/key-object.ts';
import { normalizeAlgorithm, digestOf, isKeyDerivation, secretBits } from './algorithms.ts';
import type { NormalizedAlgorithm } from './algorithms.ts';
import { CryptoKey } from './crypto-key.ts';
import { deriveBits } from './derive.ts';
import { encryptOrDecrypt } from './encrypt.ts';
import { exportKey } from './export.ts';
import { generateKey, importKey } from './import.ts';
import { unwrapKey, wrapKey } from './wrap.ts';

const pssPadding = 6;

/** The digest and the key, with its options, for Node's sign and verify. */
function signingParams(normalized: NormalizedAlgorithm, key: CryptoKey): readonly [digest: string | null, key: string] {
  const pem = CryptoKey.pemOf(key);
  if (normalized.name === 'Ed25519') return [null, keyText(pem)];
  if (normalized.name === 'ECDSA')
    return [digestOf(normalized['hash']).node, keyText({ key: pem, dsaEncoding: 'ieee-p1363' })];
  const digest = digestOf(key.algorithm['hash']).node;
  if (normalized.name === 'RSA-PSS')
    return [digest, keyText({ key: pem, padding: pssPadding, saltLength: Number(normalized['saltLength']) })];
  return [digest, keyText(pem)];
}

const hmac = (key: CryptoKey, data: unknown): Buffer =>
  createHmac(digestOf(key.algorithm['hash']).node, CryptoKey.bytesOf(key)).update(sourceOf(data)).digest() as Buffer;

function signatureOf(algorithm: unknown, key: unknown, data: unknown): ArrayBuffer {
  const normalized = normalizeAlgorithm(algorithm);
  CryptoKey.check(key, normalized.name, 'sign');
  if (normalized.name === 'HMAC') return toArrayBuffer(hmac(key, data));
  const [digest, text] = signingParams(normalized, key);
  return toArrayBuffer(askBytes('sign', digest, toArrayBuffer(sourceOf(data)), text));
}

function verifySignature(...[algorithm, key, signature, data]: unknown[]): boolean {
  const normalized = normalizeAlgorithm(algorithm);
  CryptoKey.check(key, normalized.name, 'verify');
  const signatureBytes = sourceOf(signature);
  if (normalized.name === 'HMAC') {
    const expected = hmac(key, data);
    return signatureBytes.length === expected.length && timingSafeEqual(signatureBytes, expected);
  }
  const [digest, text] = signingParams(normalized, key);
  return ask('verify', digest, toArrayBuffer(sourceOf(data)), text, toArrayBuffer(signatureBytes)) === true;
}

export { CryptoKey };

export const subtle = {
  digest: async (algorithm: unknown, data: unknown): Promise<ArrayBuffer> =>
    toArrayBuffer(createHash(digestOf(algorithm).node).update(sourceOf(data)).digest() as Buffer),
  importKey: async (...args: unknown[]): Promise<CryptoKey> => importKey(...args),
  exportKey: async (format: unknown, key: unknown): Promise<unknown> => exportKey(format, key),
  generateKey: async (...args: unknown[]): Promise<unknown> => generateKey(...args),
  sign: async (algorithm: unknown, key: unknown, data: unknown): Promise<ArrayBuffer> =>
    signatureOf(algorithm, key, data),
  verify: async (...args: unknown[]): Promise<boolean> => verifySignature(...args),
  encrypt: async (...args: unknown[]): Promise<ArrayBuffer> => encryptOrDecrypt('encrypt', ...args),
  decrypt: async (...args: unknown[]): Promise<ArrayBuffer> => encryptOrDecrypt('decrypt', ...args),
  deriveBits: async (...args: unknown[]): Promise<ArrayBuffer> => deriveBits('deriveBits', args),
  async deriveKey(...[algorithm, key, derivedAlgorithm, extractable, usages]: unknown[]): Promise<CryptoKey> {
    const normalized = normalizeAlgorithm(derivedAlgorithm);
    const bits = isKeyDerivation(normalized.name) ? null : secretBits(normalized);
    const bytes = deriveBits('deriveKey', [algorithm, key, bits]);
    return importKey('raw', bytes, derivedAlgorithm, extractable, usages);
  },
  wrapKey: async (...args: unknown[]): Promise<ArrayBuffer> => wrapKey(...args),
  unwrapKey: async (...args: unknown[]): Promise<CryptoKey> => unwrapKey(...args),
};
