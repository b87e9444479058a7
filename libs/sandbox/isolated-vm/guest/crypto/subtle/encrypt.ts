// encrypt and decrypt of crypto.subtle: AES in three modes, and RSA-OAEP.
import { ask } from '../../core/bridge.ts';
import { Buffer } from '../../encoding/buffer.ts';
import { askBytes, bare, sourceOf } from '../bytes.ts';
import { keyText } from '../keys/key-object.ts';
import { asked, digestOf, isAes, refused } from './algorithms.ts';
import type { Asked } from './algorithms.ts';
import { CryptoKey } from './crypto-key.ts';

type Direction = 'encrypt' | 'decrypt';

const tagBitsDefault = 128;
const oaepPadding = 4;
const blockBytes = 16;
const specific = 'The operation failed for an operation-specific reason';

export const failed = (message: string): unknown => refused('OperationError', message);

function byRsa(direction: Direction, ...[wanted, key, data]: [Asked, CryptoKey, unknown]): ArrayBuffer {
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

interface Work {
  readonly name: string;
  readonly bytes: Buffer;
  readonly iv: Buffer;
  readonly data: Buffer;
}

interface Tagged {
  readonly aad: ArrayBuffer | null;
  readonly tag: ArrayBuffer | null;
  readonly tagBytes: number;
}

const untagged: Tagged = { aad: null, tag: null, tagBytes: 0 };

/** One operation of the host; an error about its limits is thrown unchanged. */
export function worked(direction: Direction, work: Work, { aad, tag, tagBytes } = untagged): Buffer {
  const [key, iv, data] = [work.bytes, work.iv, work.data].map(bare) as [ArrayBuffer, ArrayBuffer, ArrayBuffer];
  const extras = JSON.stringify({ tagBytes, padding: true });
  try {
    const answer = ask('cipher', direction, work.name, key, iv, data, aad, tag, extras);
    const [result, ownTag] = answer as [ArrayBuffer, ArrayBuffer | null];
    return ownTag === null ? Buffer.from(result) : Buffer.concat([Buffer.from(result), Buffer.from(ownTag)]);
  } catch (error) {
    throw (error as { code?: unknown }).code === 'ERR_OUT_OF_RANGE' ? error : failed(specific);
  }
}

/** AES-CTR: only the last `length` bits of the block are the counter, which wraps to 0. */
function byCounter(direction: Direction, wanted: Asked, work: Omit<Work, 'iv'>): Buffer {
  const counter = sourceOf(wanted['counter'], 'algorithm.counter');
  const length = Number(wanted['length']);
  if (counter.length !== blockBytes) throw failed('algorithm.counter must contain 16 bytes');
  if (!(length >= 1 && length <= 128)) throw failed('AES-CTR algorithm.length must be between 1 and 128');
  const whole = BigInt(`0x${counter.toString('hex')}`);
  const room = 1n << BigInt(length);
  const ahead = room - (whole % room);
  const blocks = BigInt(Math.ceil(work.data.length / blockBytes));
  if (blocks > room) throw failed('The data is too large for the length of the counter');
  if (blocks <= ahead) return worked(direction, { ...work, iv: counter });
  const at = Number(ahead) * blockBytes;
  const again = (whole - (whole % room)).toString(16).padStart(2 * blockBytes, '0');
  return Buffer.concat([
    worked(direction, { ...work, iv: counter, data: work.data.subarray(0, at) }),
    worked(direction, { ...work, iv: Buffer.from(again, 'hex'), data: work.data.subarray(at) }),
  ]);
}

function byTag(direction: Direction, wanted: Asked, work: Work): Buffer {
  const tagBytes = Number(wanted['tagLength'] ?? tagBitsDefault) / 8;
  const aad = wanted['additionalData'];
  const more = aad === undefined ? null : bare(sourceOf(aad));
  if (direction === 'encrypt') return worked(direction, work, { aad: more, tag: null, tagBytes });
  if (work.data.length < tagBytes) throw failed('The provided data is too small.');
  const end = work.data.length - tagBytes;
  const tag = bare(work.data.subarray(end));
  return worked(direction, { ...work, data: work.data.subarray(0, end) }, { aad: more, tag, tagBytes });
}

function byAes(direction: Direction, ...[wanted, key, data]: [Asked, CryptoKey, unknown]): ArrayBuffer {
  const bytes = CryptoKey.bytesOf(key);
  const mode = wanted.name.slice('AES-'.length).toLowerCase();
  const work = { name: `aes-${bytes.length * 8}-${mode}`, bytes, data: sourceOf(data) };
  if (mode === 'ctr') return bare(byCounter(direction, wanted, work));
  const iv = sourceOf(wanted['iv'], 'algorithm.iv');
  return bare(mode === 'gcm' ? byTag(direction, wanted, { ...work, iv }) : worked(direction, { ...work, iv }));
}

/** `usage` of the key can differ from `direction`: keys are wrapped by encrypting them. */
export function ciphered(direction: Direction, ...[algorithm, key, data, usage]: unknown[]): ArrayBuffer {
  const wanted = asked(algorithm);
  if (wanted.name === 'AES-KW' || !(isAes(wanted.name) || wanted.name === 'RSA-OAEP'))
    throw refused('NotSupportedError', `${wanted.name} does not encrypt`);
  CryptoKey.check(key, wanted.name, (usage ?? direction) as Direction);
  return wanted.name === 'RSA-OAEP' ? byRsa(direction, wanted, key, data) : byAes(direction, wanted, key, data);
}
