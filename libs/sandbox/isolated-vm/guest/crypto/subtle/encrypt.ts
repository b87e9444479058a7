// encrypt and decrypt of crypto.subtle: AES in three modes, and RSA-OAEP.
import { ask } from '../../core/bridge.ts';
import { Buffer } from '../../encoding/buffer.ts';
import { askBytes, toArrayBuffer, sourceOf } from '../bytes.ts';
import { keyText } from '../keys/key-object.ts';
import { normalizeAlgorithm, digestOf, isAes, domException } from './algorithms.ts';
import type { NormalizedAlgorithm } from './algorithms.ts';
import { CryptoKey } from './crypto-key.ts';

type Direction = 'encrypt' | 'decrypt';

const tagBitsDefault = 128;
const oaepPadding = 4;
const blockBytes = 16;
const genericMessage = 'The operation failed for an operation-specific reason';

export const operationError = (message: string): unknown => domException('OperationError', message);

function cipherByRsa(
  direction: Direction,
  ...[normalized, key, data]: [NormalizedAlgorithm, CryptoKey, unknown]
): ArrayBuffer {
  const { label } = normalized as { readonly label?: unknown };
  const oaepHash = digestOf(key.algorithm['hash']).node;
  const text = keyText({ key: CryptoKey.pemOf(key), padding: oaepPadding, oaepHash });
  const labelBytes = label === undefined ? null : toArrayBuffer(sourceOf(label, 'algorithm.label'));
  try {
    return toArrayBuffer(
      askBytes(
        direction === 'encrypt' ? 'publicEncrypt' : 'privateDecrypt',
        text,
        toArrayBuffer(sourceOf(data)),
        labelBytes,
      ),
    );
  } catch {
    throw operationError(genericMessage);
  }
}

interface CipherJob {
  readonly name: string;
  readonly bytes: Buffer;
  readonly iv: Buffer;
  readonly data: Buffer;
}

interface TagOptions {
  readonly aad: ArrayBuffer | null;
  readonly tag: ArrayBuffer | null;
  readonly tagBytes: number;
}

const noTag: TagOptions = { aad: null, tag: null, tagBytes: 0 };

/** One operation of the host; an error about its limits is thrown unchanged. */
export function runCipher(direction: Direction, job: CipherJob, { aad, tag, tagBytes } = noTag): Buffer {
  const [key, iv, data] = [job.bytes, job.iv, job.data].map(toArrayBuffer) as [ArrayBuffer, ArrayBuffer, ArrayBuffer];
  const options = JSON.stringify({ tagBytes, padding: true });
  try {
    const answer = ask('cipher', direction, job.name, key, iv, data, aad, tag, options);
    const [result, computedTag] = answer as [ArrayBuffer, ArrayBuffer | null];
    return computedTag === null ? Buffer.from(result) : Buffer.concat([Buffer.from(result), Buffer.from(computedTag)]);
  } catch (error) {
    throw (error as { code?: unknown }).code === 'ERR_OUT_OF_RANGE' ? error : operationError(genericMessage);
  }
}

/** AES-CTR: only the last `length` bits of the block are the counter, which wraps to 0. */
function cipherByCounter(direction: Direction, normalized: NormalizedAlgorithm, job: Omit<CipherJob, 'iv'>): Buffer {
  const counter = sourceOf(normalized['counter'], 'algorithm.counter');
  const length = Number(normalized['length']);
  if (counter.length !== blockBytes) throw operationError('algorithm.counter must contain 16 bytes');
  if (!(length >= 1 && length <= 128)) throw operationError('AES-CTR algorithm.length must be between 1 and 128');
  const counterValue = BigInt(`0x${counter.toString('hex')}`);
  const counterRange = 1n << BigInt(length);
  const blocksUntilWrap = counterRange - (counterValue % counterRange);
  const blocks = BigInt(Math.ceil(job.data.length / blockBytes));
  if (blocks > counterRange) throw operationError('The data is too large for the length of the counter');
  if (blocks <= blocksUntilWrap) return runCipher(direction, { ...job, iv: counter });
  const splitAt = Number(blocksUntilWrap) * blockBytes;
  const wrappedCounter = (counterValue - (counterValue % counterRange)).toString(16).padStart(2 * blockBytes, '0');
  return Buffer.concat([
    runCipher(direction, { ...job, iv: counter, data: job.data.subarray(0, splitAt) }),
    runCipher(direction, { ...job, iv: Buffer.from(wrappedCounter, 'hex'), data: job.data.subarray(splitAt) }),
  ]);
}

function cipherWithTag(direction: Direction, normalized: NormalizedAlgorithm, job: CipherJob): Buffer {
  const tagBytes = Number(normalized['tagLength'] ?? tagBitsDefault) / 8;
  const aad = normalized['additionalData'];
  const aadBytes = aad === undefined ? null : toArrayBuffer(sourceOf(aad));
  if (direction === 'encrypt') return runCipher(direction, job, { aad: aadBytes, tag: null, tagBytes });
  if (job.data.length < tagBytes) throw operationError('The provided data is too small.');
  const end = job.data.length - tagBytes;
  const tag = toArrayBuffer(job.data.subarray(end));
  return runCipher(direction, { ...job, data: job.data.subarray(0, end) }, { aad: aadBytes, tag, tagBytes });
}

function cipherByAes(
  direction: Direction,
  ...[normalized, key, data]: [NormalizedAlgorithm, CryptoKey, unknown]
): ArrayBuffer {
  const bytes = CryptoKey.bytesOf(key);
  const mode = normalized.name.slice('AES-'.length).toLowerCase();
  const job = { name: `aes-${bytes.length * 8}-${mode}`, bytes, data: sourceOf(data) };
  if (mode === 'ctr') return toArrayBuffer(cipherByCounter(direction, normalized, job));
  const iv = sourceOf(normalized['iv'], 'algorithm.iv');
  return toArrayBuffer(
    mode === 'gcm' ? cipherWithTag(direction, normalized, { ...job, iv }) : runCipher(direction, { ...job, iv }),
  );
}

/** `usage` of the key can differ from `direction`: keys are wrapped by encrypting them. */
export function encryptOrDecrypt(direction: Direction, ...[algorithm, key, data, usage]: unknown[]): ArrayBuffer {
  const normalized = normalizeAlgorithm(algorithm);
  if (normalized.name === 'AES-KW' || !(isAes(normalized.name) || normalized.name === 'RSA-OAEP'))
    throw domException('NotSupportedError', `${normalized.name} does not encrypt`);
  CryptoKey.check(key, normalized.name, (usage ?? direction) as Direction);
  return normalized.name === 'RSA-OAEP'
    ? cipherByRsa(direction, normalized, key, data)
    : cipherByAes(direction, normalized, key, data);
}
