// wrapKey and unwrapKey of crypto.subtle: exports and encrypts a key in one step, or decrypts and imports it.
import { Buffer } from '../../encoding/buffer.ts';
import { toArrayBuffer, sourceOf } from '../bytes.ts';
import { normalizeAlgorithm } from './algorithms.ts';
import { CryptoKey } from './crypto-key.ts';
import { encryptOrDecrypt, operationError, runCipher } from './encrypt.ts';
import { exportKey } from './export.ts';
import { importKey } from './import.ts';

/** The initial value of RFC 3394. */
const initialValue = Buffer.alloc(8, 0xa6);
const partBytes = 8;

function runKeyWrap(direction: 'encrypt' | 'decrypt', key: unknown, data: Buffer): ArrayBuffer {
  CryptoKey.check(key, 'AES-KW', direction === 'encrypt' ? 'wrapKey' : 'unwrapKey');
  if (data.length % partBytes !== 0) throw operationError('The operation failed for an operation-specific reason');
  const bytes = CryptoKey.bytesOf(key);
  return toArrayBuffer(runCipher(direction, { name: `id-aes${bytes.length * 8}-wrap`, bytes, iv: initialValue, data }));
}

const isKeyWrap = (algorithm: unknown): boolean => normalizeAlgorithm(algorithm).name === 'AES-KW';

export function wrapKey(...[format, key, wrappingKey, algorithm]: unknown[]): ArrayBuffer {
  const exported = exportKey(format, key);
  const data = format === 'jwk' ? Buffer.from(JSON.stringify(exported)) : Buffer.from(exported as ArrayBuffer);
  if (isKeyWrap(algorithm)) return runKeyWrap('encrypt', wrappingKey, data);
  return encryptOrDecrypt('encrypt', algorithm, wrappingKey, data, 'wrapKey');
}

export function unwrapKey(...[format, data, unwrappingKey, algorithm, ...importArgs]: unknown[]): CryptoKey {
  const bytes = isKeyWrap(algorithm)
    ? runKeyWrap('decrypt', unwrappingKey, sourceOf(data))
    : encryptOrDecrypt('decrypt', algorithm, unwrappingKey, data, 'unwrapKey');
  if (format !== 'jwk') return importKey(format, bytes, ...importArgs);
  let jwk: unknown;
  try {
    jwk = JSON.parse(Buffer.from(bytes).toString());
  } catch {
    throw operationError('The unwrapped key is no JSON');
  }
  return importKey('jwk', jwk, ...importArgs);
}
