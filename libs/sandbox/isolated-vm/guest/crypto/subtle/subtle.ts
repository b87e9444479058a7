// crypto.subtle, as far as components use it: digests and signatures; the rest is in the files next to this one.
import { ask } from '../../core/bridge.ts';
import { askBytes, bare, sourceOf } from '../bytes.ts';
import { timingSafeEqual } from '../equal.ts';
import { createHash, createHmac } from '../hash.ts';
import { keyText } from '../keys/key-object.ts';
import { asked, digestOf, isDerived, secretBits } from './algorithms.ts';
import type { Asked } from './algorithms.ts';
import { CryptoKey } from './crypto-key.ts';
import { derived } from './derive.ts';
import { ciphered } from './encrypt.ts';
import { exportKey } from './export.ts';
import { generateKey, importKey } from './import.ts';
import { unwrapped, wrapped } from './wrap.ts';

const pssPadding = 6;

/** The digest and the key, with its options, for Node's sign and verify. */
function signing(wanted: Asked, key: CryptoKey): readonly [digest: string | null, key: string] {
  const pem = CryptoKey.pemOf(key);
  if (wanted.name === 'Ed25519') return [null, keyText(pem)];
  if (wanted.name === 'ECDSA') return [digestOf(wanted['hash']).node, keyText({ key: pem, dsaEncoding: 'ieee-p1363' })];
  const digest = digestOf(key.algorithm['hash']).node;
  if (wanted.name === 'RSA-PSS')
    return [digest, keyText({ key: pem, padding: pssPadding, saltLength: Number(wanted['saltLength']) })];
  return [digest, keyText(pem)];
}

const hmac = (key: CryptoKey, data: unknown): Buffer =>
  createHmac(digestOf(key.algorithm['hash']).node, CryptoKey.bytesOf(key)).update(sourceOf(data)).digest() as Buffer;

function signatureOf(algorithm: unknown, key: unknown, data: unknown): ArrayBuffer {
  const wanted = asked(algorithm);
  CryptoKey.check(key, wanted.name, 'sign');
  if (wanted.name === 'HMAC') return bare(hmac(key, data));
  const [digest, text] = signing(wanted, key);
  return bare(askBytes('sign', digest, bare(sourceOf(data)), text));
}

function isSignature(...[algorithm, key, signature, data]: unknown[]): boolean {
  const wanted = asked(algorithm);
  CryptoKey.check(key, wanted.name, 'verify');
  const given = sourceOf(signature);
  if (wanted.name === 'HMAC') {
    const expected = hmac(key, data);
    return given.length === expected.length && timingSafeEqual(given, expected);
  }
  const [digest, text] = signing(wanted, key);
  return ask('verify', digest, bare(sourceOf(data)), text, bare(given)) === true;
}

export { CryptoKey };

export const subtle = {
  digest: async (algorithm: unknown, data: unknown): Promise<ArrayBuffer> =>
    bare(createHash(digestOf(algorithm).node).update(sourceOf(data)).digest() as Buffer),
  importKey: async (...args: unknown[]): Promise<CryptoKey> => importKey(...args),
  exportKey: async (format: unknown, key: unknown): Promise<unknown> => exportKey(format, key),
  generateKey: async (...args: unknown[]): Promise<unknown> => generateKey(...args),
  sign: async (algorithm: unknown, key: unknown, data: unknown): Promise<ArrayBuffer> =>
    signatureOf(algorithm, key, data),
  verify: async (...args: unknown[]): Promise<boolean> => isSignature(...args),
  encrypt: async (...args: unknown[]): Promise<ArrayBuffer> => ciphered('encrypt', ...args),
  decrypt: async (...args: unknown[]): Promise<ArrayBuffer> => ciphered('decrypt', ...args),
  deriveBits: async (...args: unknown[]): Promise<ArrayBuffer> => derived('deriveBits', args),
  async deriveKey(...[algorithm, key, wanted, extractable, usages]: unknown[]): Promise<CryptoKey> {
    const made = asked(wanted);
    const bits = isDerived(made.name) ? null : secretBits(made);
    const bytes = derived('deriveKey', [algorithm, key, bits]);
    return importKey('raw', bytes, wanted, extractable, usages);
  },
  wrapKey: async (...args: unknown[]): Promise<ArrayBuffer> => wrapped(...args),
  unwrapKey: async (...args: unknown[]): Promise<CryptoKey> => unwrapped(...args),
};
