// deriveBits and deriveKey of crypto.subtle: from passwords and secrets, and by agreement with another key.
import { Buffer } from '../../encoding/buffer.ts';
import { askBytes, bare, sourceOf } from '../bytes.ts';
import { keyText } from '../keys/key-object.ts';
import { asked, digestOf, isAgreed, isDerived, refused } from './algorithms.ts';
import type { Asked } from './algorithms.ts';
import { CryptoKey } from './crypto-key.ts';
import { failed } from './encrypt.ts';

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

const invalid = (message: string): unknown => refused('InvalidAccessError', message);

/** The first `bits` bits of the agreed secret; null: all of it. */
function agreedBits(wanted: Asked, key: CryptoKey, bits: unknown): ArrayBuffer {
  const other = wanted['public'];
  CryptoKey.materialOf(other);
  const { type, algorithm } = other as CryptoKey;
  if (type !== 'public') throw invalid('algorithm.public must be a public key');
  if (algorithm.name !== wanted.name) throw invalid('algorithm.public must be of the same algorithm');
  if (algorithm['namedCurve'] !== key.algorithm['namedCurve']) throw invalid('Named curve mismatch');
  const secret = askBytes('agreed', keyText(CryptoKey.pemOf(key)), keyText(CryptoKey.pemOf(other)));
  if (bits === null || bits === undefined) return bare(secret);
  const length = Number(bits);
  if (length > secret.length * 8) throw failed('derived bit length is too small');
  const cut = Buffer.from(secret.subarray(0, Math.ceil(length / 8)));
  const over = length % 8;
  if (over > 0) cut[cut.length - 1] = (cut[cut.length - 1] ?? 0) & (0xff << (8 - over));
  return bare(cut);
}

export function derived(usage: 'deriveBits' | 'deriveKey', [algorithm, key, bits]: readonly unknown[]): ArrayBuffer {
  const wanted = asked(algorithm);
  if (!isDerived(wanted.name) && !isAgreed(wanted.name))
    throw refused('NotSupportedError', `Nothing is derived by ${wanted.name}`);
  CryptoKey.check(key, wanted.name, usage);
  return isAgreed(wanted.name) ? agreedBits(wanted, key, bits) : derivedBits(wanted, key, bits);
}
