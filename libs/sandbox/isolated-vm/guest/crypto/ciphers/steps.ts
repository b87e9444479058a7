// Computes a cipher's output piece by piece, as its mode of operation allows. Each piece is a separate operation of the
// host, which keeps no state.
import { ask } from '../../core/bridge.ts';
import { Buffer } from '../../encoding/buffer.ts';
import { bare, joined } from '../bytes.ts';

export type Direction = 'encrypt' | 'decrypt';

export interface Keyed {
  readonly direction: Direction;
  readonly algorithm: string;
  readonly key: ArrayBuffer;
  readonly iv: Buffer | null;
}

/** `step` returns the output that is certain after one more piece of input, `last` returns the rest. */
export interface Steps {
  step(data: Buffer, padding: boolean): Buffer;
  last(padding: boolean): Buffer;
}

const blockBytes = 16;
/** After so many pieces, small ones are held until there are `heldBytes`, because each call to the host is costly. */
const piecesMax = 256;
const heldBytes = 16 * 1024;
/** Bytes of key stream fetched at once for pieces below `shortBytes`, for which calls to the host would cost most. */
const pageBytes = 4 * 1024;
const shortBytes = 1024;
const noBytes = (): Buffer => Buffer.alloc(0);

/** One operation of the host, without a tag. */
function worked({ direction, algorithm, key }: Keyed, iv: Buffer | null, data: Buffer, padding: boolean): Buffer {
  const extras = JSON.stringify({ tagBytes: blockBytes, padding });
  const nonce = iv === null ? null : bare(iv);
  const [bytes] = ask('cipher', direction, algorithm, key, nonce, bare(data), null, null, extras) as [ArrayBuffer];
  return Buffer.from(bytes);
}

/** CBC and ECB: whole blocks at a time. Until the end, decryption holds back the block that can contain the padding. */
export class BlockSteps implements Steps {
  readonly #keyed: Keyed;
  #iv: Buffer | null;
  #left = noBytes();
  #pieces = 0;

  constructor(keyed: Keyed) {
    this.#keyed = keyed;
    this.#iv = keyed.iv;
  }

  step(data: Buffer, padding: boolean): Buffer {
    const { direction } = this.#keyed;
    const all = joined([this.#left, data]);
    this.#pieces++;
    if (this.#pieces > piecesMax && all.length < heldBytes) {
      this.#left = all;
      return noBytes();
    }
    const over = all.length % blockBytes;
    const keeps = over === 0 && all.length > 0 && padding && direction === 'decrypt' ? blockBytes : over;
    const whole = all.subarray(0, all.length - keeps);
    this.#left = Buffer.from(all.subarray(whole.length));
    if (whole.length === 0) return noBytes();
    const made = worked(this.#keyed, this.#iv, whole, false);
    if (this.#iv !== null) this.#iv = Buffer.from((direction === 'encrypt' ? made : whole).subarray(-blockBytes));
    return made;
  }

  last(padding: boolean): Buffer {
    return worked(this.#keyed, this.#iv, this.#left, padding);
  }
}

/** The counter block `blocks` after `first`. The counter is its last bytes, big-endian, or its first, little-endian. */
function counted(first: Buffer, blocks: number, [from, bytes]: Counter): Buffer {
  const block = Buffer.from(first);
  let carry = blocks;
  for (let at = 0; at < bytes && carry > 0; at++) {
    const place = from === 'first' ? at : block.length - 1 - at;
    const sum = (block[place] ?? 0) + (carry % 256);
    block[place] = sum % 256;
    carry = Math.floor(carry / 256) + (sum > 255 ? 1 : 0);
  }
  return block;
}

type Counter = readonly [from: 'first' | 'last', bytes: number];

export interface Counting {
  readonly algorithm: string;
  readonly first: Buffer;
  readonly counter: Counter;
  /** How many bytes one value of the counter covers. */
  readonly countedBytes: number;
}

/** Counter modes: a piece can begin at any byte, because its key stream follows from the position. */
export class CountedSteps implements Steps {
  readonly #keyed: Keyed;
  readonly #counting: Counting;
  #at = 0;
  #page = noBytes();
  #pageAt = 0;

  constructor(keyed: Keyed, counting: Counting) {
    this.#keyed = { ...keyed, algorithm: counting.algorithm };
    this.#counting = counting;
  }

  step(data: Buffer): Buffer {
    if (data.length === 0) return noBytes();
    const made = data.length < shortBytes ? this.#mixed(data) : this.#worked(data);
    this.#at += data.length;
    return made;
  }

  #worked(data: Buffer): Buffer {
    const { first, counter, countedBytes } = this.#counting;
    const before = this.#at % countedBytes;
    const iv = counted(first, (this.#at - before) / countedBytes, counter);
    const padded = before === 0 ? data : Buffer.concat([Buffer.alloc(before), data]);
    return Buffer.from(worked(this.#keyed, iv, padded, true).subarray(before));
  }

  #mixed(data: Buffer): Buffer {
    if (this.#at + data.length > this.#pageAt + this.#page.length) {
      this.#page = this.#worked(Buffer.alloc(pageBytes));
      this.#pageAt = this.#at;
    }
    const from = this.#at - this.#pageAt;
    const made = Buffer.alloc(data.length);
    for (let at = 0; at < data.length; at++) made[at] = (data[at] ?? 0) ^ (this.#page[from + at] ?? 0);
    return made;
  }

  last(): Buffer {
    return noBytes();
  }
}

/** Other modes: gathers the input and returns all of the output at the end. */
class Gathered implements Steps {
  readonly #keyed: Keyed;
  readonly #parts: Buffer[] = [];

  constructor(keyed: Keyed) {
    this.#keyed = keyed;
  }
  step(data: Buffer): Buffer {
    this.#parts.push(data);
    return noBytes();
  }
  last(padding: boolean): Buffer {
    return worked(this.#keyed, this.#keyed.iv, joined([noBytes(), ...this.#parts]), padding);
  }
}

export function stepsOf(keyed: Keyed): Steps {
  const { algorithm, iv } = keyed;
  const [, mode = ''] = /^(?:id-)?aes-?(?:128|192|256)-(\w+)$/i.exec(algorithm) ?? [];
  switch (mode.toLowerCase()) {
    case 'cbc':
    case 'ecb':
      return new BlockSteps(keyed);
    case 'ctr':
      return iv === null
        ? new Gathered(keyed)
        : new CountedSteps(keyed, { algorithm, first: iv, counter: ['last', blockBytes], countedBytes: blockBytes });
    default:
      return new Gathered(keyed);
  }
}

const usualNonceBytes = 12;

/** The counter mode by which a cipher with a tag makes its output; undefined: unknown. */
export function countingOf({ algorithm, iv }: Keyed): Counting | undefined {
  if (iv?.length !== usualNonceBytes) return undefined;
  const [, bits] = /^(?:id-)?aes-?(128|192|256)-gcm$/i.exec(algorithm) ?? [];
  if (bits !== undefined) {
    const first = Buffer.concat([iv, Buffer.from([0, 0, 0, 2])]);
    return { algorithm: `aes-${bits}-ctr`, first, counter: ['last', 4], countedBytes: blockBytes };
  }
  if (!/^chacha20-poly1305$/i.test(algorithm)) return undefined;
  const first = Buffer.concat([Buffer.from([1, 0, 0, 0]), iv]);
  return { algorithm: 'chacha20', first, counter: ['first', 4], countedBytes: 64 };
}
