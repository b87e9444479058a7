// crypto.subtle, as far as components use it: digests, HMAC, AES, RSA, signatures by ECDSA and Ed25519, keys from
// passwords.
import { ask } from '../../core/bridge.ts';
import { Buffer } from '../../encoding/buffer.ts';
import { askBytes, bare, sourceOf } from '../bytes.ts';
import { timingSafeEqual } from '../equal.ts';
import { createHash, createHmac } from '../hash.ts';
import { keyText } from '../key-object.ts';
import { asked, digestOf, isAes, isDerived, refused, secretBits } from './algorithms.ts';
import type { Asked } from './algorithms.ts';
import { CryptoKey } from './crypto-key.ts';
import { exportKey } from './export.ts';
import { generateKey, importKey } from './import.ts';

const tagBitsDefault = 128;
const pssPadding = 6;
const oaepPadding = 4;

const failed = (message: string): unknown => refused('OperationError', message);

/** The options of Node's sign and verify, which go with the key. */
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

const specific = 'The operation failed for an operation-specific reason';

function cipheredByRsa(
  direction: 'encrypt' | 'decrypt',
  ...[wanted, key, data]: [Asked, CryptoKey, unknown]
): ArrayBuffer {
  const { label } = wanted as { readonly label?: unknown };
  const oaepHash = digestOf(key.algorithm['hash']).node;
  const text = keyText({ key: CryptoKey.pemOf(key), padding: oaepPadding, oaepHash });
  const named = label === undefined ? null : bare(sourceOf(label, 'algorithm.label'));
  try {
    return bare(
      askBytes(direction === 'encrypt' ? 'publicEncrypt' : 'privateDecrypt', text, bare(sourceOf(data)), named),
    );
  } catch {
    throw failed(specific);
  }
}

function ciphered(direction: 'encrypt' | 'decrypt', ...[algorithm, key, data]: unknown[]): ArrayBuffer {
  const wanted = asked(algorithm);
  if (wanted.name === 'RSA-OAEP') {
    CryptoKey.check(key, wanted.name, direction);
    return cipheredByRsa(direction, wanted, key, data);
  }
  if (!isAes(wanted.name)) throw refused('NotSupportedError', `${wanted.name} does not encrypt`);
  CryptoKey.check(key, wanted.name, direction);
  const bytes = CryptoKey.bytesOf(key);
  const mode = wanted.name === 'AES-GCM' ? 'gcm' : 'cbc';
  const tagBytes = mode === 'gcm' ? Number(wanted['tagLength'] ?? tagBitsDefault) / 8 : 0;
  const input = sourceOf(data);
  if (direction === 'decrypt' && input.length < tagBytes) throw failed('The provided data is too small.');
  const end = direction === 'decrypt' ? input.length - tagBytes : input.length;
  const aad = wanted['additionalData'];
  const parts = [bytes, sourceOf(wanted['iv'], 'algorithm.iv'), input.subarray(0, end)].map(bare);
  const tag = direction === 'decrypt' && tagBytes > 0 ? bare(input.subarray(end)) : null;
  const extras = JSON.stringify({ tagBytes, padding: true });
  let answer: [ArrayBuffer, ArrayBuffer | null];
  try {
    const name = `aes-${bytes.length * 8}-${mode}`;
    const more = aad === undefined ? null : bare(sourceOf(aad));
    answer = ask('cipher', direction, name, ...parts, more, tag, extras) as typeof answer;
  } catch (error) {
    throw (error as { code?: unknown }).code === 'ERR_OUT_OF_RANGE' ? error : failed(specific);
  }
  const [result, ownTag] = answer;
  return ownTag === null ? result : bare(Buffer.concat([Buffer.from(result), Buffer.from(ownTag)]));
}

function derivedBits(wanted: Asked, key: CryptoKey, bits: unknown): ArrayBuffer {
  if (typeof bits !== 'number' || bits % 8 !== 0) throw failed('length must be a multiple of 8');
  const bytes = bare(CryptoKey.bytesOf(key));
  const salt = bare(sourceOf(wanted['salt'], 'algorithm.salt'));
  const digest = digestOf(wanted['hash']).node;
  if (wanted.name === 'PBKDF2')
    return bare(askBytes('pbkdf2', bytes, salt, Number(wanted['iterations']), bits / 8, digest));
  const info = bare(sourceOf(wanted['info'], 'algorithm.info'));
  return bare(askBytes('hkdf', digest, bytes, salt, info, bits / 8));
}

function derived(usage: 'deriveBits' | 'deriveKey', [algorithm, key, bits]: readonly unknown[]): ArrayBuffer {
  const wanted = asked(algorithm);
  if (!isDerived(wanted.name)) throw refused('NotSupportedError', `Nothing is derived by ${wanted.name}`);
  CryptoKey.check(key, wanted.name, usage);
  return derivedBits(wanted, key, bits);
}

const unsupported = (name: string) => async (): Promise<never> => {
  throw refused('NotSupportedError', `crypto.subtle.${name} is not supported in components`);
};

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
    const bytes = derived('deriveKey', [algorithm, key, secretBits(asked(wanted))]);
    return importKey('raw', bytes, wanted, extractable, usages);
  },
  wrapKey: unsupported('wrapKey'),
  unwrapKey: unsupported('unwrapKey'),
};
