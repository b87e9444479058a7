// deriveBits and deriveKey of crypto.subtle: from passwords and secrets, and by agreement with another key.
import { Buffer } from '../../encoding/buffer.ts';
import { askBytes, toArrayBuffer, sourceOf } from '../bytes.ts';
import { keyText } from '../keys/key-object.ts';
import { normalizeAlgorithm, digestOf, isKeyAgreement, isKeyDerivation, domException } from './algorithms.ts';
import type { NormalizedAlgorithm } from './algorithms.ts';
import { CryptoKey } from './crypto-key.ts';
import { operationError } from './encrypt.ts';

function deriveBitsByKdf(normalized: NormalizedAlgorithm, key: CryptoKey, bits: unknown): ArrayBuffer {
  if (typeof bits !== 'number' || bits % 8 !== 0) throw operationError('length must be a multiple of 8');
  const bytes = toArrayBuffer(CryptoKey.bytesOf(key));
  const salt = toArrayBuffer(sourceOf(normalized['salt'], 'algorithm.salt'));
  const digest = digestOf(normalized['hash']).node;
  if (normalized.name === 'PBKDF2')
    return toArrayBuffer(askBytes('pbkdf2', bytes, salt, Number(normalized['iterations']), bits / 8, digest));
  const info = toArrayBuffer(sourceOf(normalized['info'], 'algorithm.info'));
  return toArrayBuffer(askBytes('hkdf', digest, bytes, salt, info, bits / 8));
}

const invalid = (message: string): unknown => domException('InvalidAccessError', message);

/** The first `bits` bits of the agreed secret; null: all of it. */
function agreeBits(normalized: NormalizedAlgorithm, key: CryptoKey, bits: unknown): ArrayBuffer {
  const other = normalized['public'];
  CryptoKey.materialOf(other);
  const { type, algorithm } = other as CryptoKey;
  if (type !== 'public') throw invalid('algorithm.public must be a public key');
  if (algorithm.name !== normalized.name) throw invalid('algorithm.public must be of the same algorithm');
  if (algorithm['namedCurve'] !== key.algorithm['namedCurve']) throw invalid('Named curve mismatch');
  const secret = askBytes('agreed', keyText(CryptoKey.pemOf(key)), keyText(CryptoKey.pemOf(other)));
  if (bits === null || bits === undefined) return toArrayBuffer(secret);
  const length = Number(bits);
  if (length > secret.length * 8) throw operationError('derived bit length is too small');
  const truncated = Buffer.from(secret.subarray(0, Math.ceil(length / 8)));
  const excessBits = length % 8;
  if (excessBits > 0)
    truncated[truncated.length - 1] = (truncated[truncated.length - 1] ?? 0) & (0xff << (8 - excessBits));
  return toArrayBuffer(truncated);
}

export function deriveBits(usage: 'deriveBits' | 'deriveKey', [algorithm, key, bits]: readonly unknown[]): ArrayBuffer {
  const normalized = normalizeAlgorithm(algorithm);
  if (!isKeyDerivation(normalized.name) && !isKeyAgreement(normalized.name))
    throw domException('NotSupportedError', `Nothing is derived by ${normalized.name}`);
  CryptoKey.check(key, normalized.name, usage);
  return isKeyAgreement(normalized.name) ? agreeBits(normalized, key, bits) : deriveBitsByKdf(normalized, key, bits);
}
