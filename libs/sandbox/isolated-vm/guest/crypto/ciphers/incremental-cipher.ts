// Computes a cipher's output piece by piece, as its mode of operation allows. Each piece is a separate operation of the
// host, which keeps no state.
import { ask } from '../../core/bridge.ts';
import { Buffer } from '../../encoding/buffer.ts';
import { toArrayBuffer, concatBuffers } from '../bytes.ts';

export type Direction = 'encrypt' | 'decrypt';

export interface CipherParams {
  readonly direction: Direction;
  readonly algorithm: string;
  readonly key: ArrayBuffer;
  readonly iv: Buffer | null;
}

/** `update` returns the output that is certain after one more piece of input, `final` returns the rest. */
export interface IncrementalCipher {
  update(data: Buffer, padding: boolean): Buffer;
  final(padding: boolean): Buffer;
}

const blockBytes = 16;
/** After so many pieces, small ones wait until there are `pendingBytesMin`, because a call to the host is costly. */
const piecesMax = 256;
const pendingBytesMin = 16 * 1024;
/** Bytes of key stream fetched at once for pieces below `shortBytes`, for which calls to the host would cost most. */
const pageBytes = 4 * 1024;
const shortBytes = 1024;
const noBytes = (): Buffer => Buffer.alloc(0);

/** One operation of the host, without a tag. */
function runCipher(
  { direction, algorithm, key }: CipherParams,
  iv: Buffer | null,
  data: Buffer,
  padding: boolean,
): Buffer {
  const options = JSON.stringify({ tagBytes: blockBytes, padding });
  const nonce = iv === null ? null : toArrayBuffer(iv);
  const [bytes] = ask('cipher', direction, algorithm, key, nonce, toArrayBuffer(data), null, null, options) as [
    ArrayBuffer,
  ];
  return Buffer.from(bytes);
}

/** CBC and ECB: whole blocks at a time. Until the end, decryption holds back the block that can contain the padding. */
export class BlockCipher implements IncrementalCipher {
  readonly #params: CipherParams;
  #iv: Buffer | null;
  #pending = noBytes();
  #pieces = 0;

  constructor(params: CipherParams) {
    this.#params = params;
    this.#iv = params.iv;
  }

  update(data: Buffer, padding: boolean): Buffer {
    const { direction } = this.#params;
    const input = concatBuffers([this.#pending, data]);
    this.#pieces++;
    if (this.#pieces > piecesMax && input.length < pendingBytesMin) {
      this.#pending = input;
      return noBytes();
    }
    const excess = input.length % blockBytes;
    const heldBack = excess === 0 && input.length > 0 && padding && direction === 'decrypt' ? blockBytes : excess;
    const blocks = input.subarray(0, input.length - heldBack);
    this.#pending = Buffer.from(input.subarray(blocks.length));
    if (blocks.length === 0) return noBytes();
    const output = runCipher(this.#params, this.#iv, blocks, false);
    if (this.#iv !== null) this.#iv = Buffer.from((direction === 'encrypt' ? output : blocks).subarray(-blockBytes));
    return output;
  }

  final(padding: boolean): Buffer {
    return runCipher(this.#params, this.#iv, this.#pending, padding);
  }
}

/** The counter block `count` blocks after `first`. The counter is its last bytes, big-endian, or first, little-endian. */
function counterBlock(first: Buffer, count: number, [from, bytes]: CounterField): Buffer {
  const block = Buffer.from(first);
  let carry = count;
  for (let at = 0; at < bytes && carry > 0; at++) {
    const index = from === 'first' ? at : block.length - 1 - at;
    const sum = (block[index] ?? 0) + (carry % 256);
    block[index] = sum % 256;
    carry = Math.floor(carry / 256) + (sum > 255 ? 1 : 0);
  }
  return block;
}

type CounterField = readonly [from: 'first' | 'last', bytes: number];

export interface CounterMode {
  readonly algorithm: string;
  readonly first: Buffer;
  readonly counter: CounterField;
  /** How many bytes one value of the counter covers. */
  readonly bytesPerCount: number;
}

/** Counter modes: a piece can begin at any byte, because its key stream follows from the position. */
export class CounterCipher implements IncrementalCipher {
  readonly #params: CipherParams;
  readonly #counterMode: CounterMode;
  #position = 0;
  #keyStream = noBytes();
  #keyStreamAt = 0;

  constructor(params: CipherParams, counterMode: CounterMode) {
    this.#params = { ...params, algorithm: counterMode.algorithm };
    this.#counterMode = counterMode;
  }

  update(data: Buffer): Buffer {
    if (data.length === 0) return noBytes();
    const output = data.length < shortBytes ? this.#xorWithKeyStream(data) : this.#runAtPosition(data);
    this.#position += data.length;
    return output;
  }

  #runAtPosition(data: Buffer): Buffer {
    const { first, counter, bytesPerCount } = this.#counterMode;
    const skipped = this.#position % bytesPerCount;
    const iv = counterBlock(first, (this.#position - skipped) / bytesPerCount, counter);
    const padded = skipped === 0 ? data : Buffer.concat([Buffer.alloc(skipped), data]);
    return Buffer.from(runCipher(this.#params, iv, padded, true).subarray(skipped));
  }

  #xorWithKeyStream(data: Buffer): Buffer {
    if (this.#position + data.length > this.#keyStreamAt + this.#keyStream.length) {
      this.#keyStream = this.#runAtPosition(Buffer.alloc(pageBytes));
      this.#keyStreamAt = this.#position;
    }
    const from = this.#position - this.#keyStreamAt;
    const output = Buffer.alloc(data.length);
    for (let at = 0; at < data.length; at++) output[at] = (data[at] ?? 0) ^ (this.#keyStream[from + at] ?? 0);
    return output;
  }

  final(): Buffer {
    return noBytes();
  }
}

/** Other modes: gathers the input and returns all of the output at the end. */
class BufferedCipher implements IncrementalCipher {
  readonly #params: CipherParams;
  readonly #parts: Buffer[] = [];

  constructor(params: CipherParams) {
    this.#params = params;
  }
  update(data: Buffer): Buffer {
    this.#parts.push(data);
    return noBytes();
  }
  final(padding: boolean): Buffer {
    return runCipher(this.#params, this.#params.iv, concatBuffers([noBytes(), ...this.#parts]), padding);
  }
}

export function incrementalCipherOf(params: CipherParams): IncrementalCipher {
  const { algorithm, iv } = params;
  const [, mode = ''] = /^(?:id-)?aes-?(?:128|192|256)-(\w+)$/i.exec(algorithm) ?? [];
  switch (mode.toLowerCase()) {
    case 'cbc':
    case 'ecb':
      return new BlockCipher(params);
    case 'ctr':
      return iv === null
        ? new BufferedCipher(params)
        : new CounterCipher(params, { algorithm, first: iv, counter: ['last', blockBytes], bytesPerCount: blockBytes });
    default:
      return new BufferedCipher(params);
  }
}

const standardNonceBytes = 12;

/** The counter mode by which a cipher with a tag makes its output; undefined: unknown. */
export function counterModeOf({ algorithm, iv }: CipherParams): CounterMode | undefined {
  if (iv?.length !== standardNonceBytes) return undefined;
  const [, bits] = /^(?:id-)?aes-?(128|192|256)-gcm$/i.exec(algorithm) ?? [];
  if (bits !== undefined) {
    const first = Buffer.concat([iv, Buffer.from([0, 0, 0, 2])]);
    return { algorithm: `aes-${bits}-ctr`, first, counter: ['last', 4], bytesPerCount: blockBytes };
  }
  if (!/^chacha20-poly1305$/i.test(algorithm)) return undefined;
  const first = Buffer.concat([Buffer.from([1, 0, 0, 0]), iv]);
  return { algorithm: 'chacha20', first, counter: ['first', 4], bytesPerCount: 64 };
}
