// wrapKey and unwrapKey of crypto.subtle: exports and encrypts a key in one step, or decrypts and imports it.
import { Buffer } from '../../encoding/buffer.ts';
import { bare, sourceOf } from '../bytes.ts';
import { asked } from './algorithms.ts';
import { CryptoKey } from './crypto-key.ts';
import { ciphered, failed, worked } from './encrypt.ts';
import { exportKey } from './export.ts';
import { importKey } from './import.ts';

/** The initial value of RFC 3394. */
const initial = Buffer.alloc(8, 0xa6);
const partBytes = 8;

function byKeyWrap(direction: 'encrypt' | 'decrypt', key: unknown, data: Buffer): ArrayBuffer {
  CryptoKey.check(key, 'AES-KW', direction === 'encrypt' ? 'wrapKey' : 'unwrapKey');
  if (data.length % partBytes !== 0) throw failed('The operation failed for an operation-specific reason');
  const bytes = CryptoKey.bytesOf(key);
  return bare(worked(direction, { name: `id-aes${bytes.length * 8}-wrap`, bytes, iv: initial, data }));
}

const isKeyWrap = (algorithm: unknown): boolean => asked(algorithm).name === 'AES-KW';

export function wrapped(...[format, key, wrapping, algorithm]: unknown[]): ArrayBuffer {
  const exported = exportKey(format, key);
  const data = format === 'jwk' ? Buffer.from(JSON.stringify(exported)) : Buffer.from(exported as ArrayBuffer);
  if (isKeyWrap(algorithm)) return byKeyWrap('encrypt', wrapping, data);
  return ciphered('encrypt', algorithm, wrapping, data, 'wrapKey');
}

export function unwrapped(...[format, data, unwrapping, algorithm, ...made]: unknown[]): CryptoKey {
  const bytes = isKeyWrap(algorithm)
    ? byKeyWrap('decrypt', unwrapping, sourceOf(data))
    : ciphered('decrypt', algorithm, unwrapping, data, 'unwrapKey');
  if (format !== 'jwk') return importKey(format, bytes, ...made);
  let jwk: unknown;
  try {
    jwk = JSON.parse(Buffer.from(bytes).toString());
  } catch {
    throw failed('The unwrapped key is no JSON');
  }
  return importKey('jwk', jwk, ...made);
}
