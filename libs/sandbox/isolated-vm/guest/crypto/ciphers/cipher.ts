// createCipheriv and createDecipheriv, also as streams: `update` returns the output that is final, `final` the rest.
import { Transform } from 'readable-stream';
import { isTagged } from '../../../wire.ts';
import { ask } from '../../core/bridge.ts';
import { Buffer } from '../../encoding/buffer.ts';
import { StringDecoder } from '../../encoding/string-decoder.ts';
import { bare, joined, viewOf } from '../bytes.ts';
import { isSecretKey } from '../keys/key-object.ts';
import { countingOf, CountedSteps, stepsOf } from './steps.ts';
import type { Direction, Keyed, Steps } from './steps.ts';

type Arguments = [algorithm: unknown, key: unknown, iv: unknown, options?: { readonly authTagLength?: number }];

const wrongState = (operation: string): Error =>
  Object.assign(new Error(`Invalid state for operation ${operation}`), { code: 'ERR_CRYPTO_INVALID_STATE' });

class Cipher extends Transform {
  readonly #keyed: Keyed;
  readonly #tagBytes: number;
  readonly #isTagged: boolean;
  /** Undefined: output is possible only after all of the input. */
  readonly #steps: Steps | undefined;
  /** All input so far; only kept if the cipher has a tag. */
  readonly #parts: Buffer[] = [];
  #aad: Buffer[] = [];
  #tag: Buffer | undefined;
  #padding = true;
  #ended = false;
  /** Decodes output as text; a character that is split between two pieces is returned with the second. */
  #texts: StringDecoder | undefined;

  constructor(direction: Direction, [algorithm, key, iv, options]: Arguments) {
    super();
    const nonce = iv === null || iv === undefined ? null : Buffer.from(viewOf(iv, undefined, 'iv'));
    this.#keyed = {
      direction,
      algorithm: String(algorithm),
      key: bare(isSecretKey(key) ? key.bytes : viewOf(key, undefined, 'key')),
      iv: nonce,
    };
    this.#tagBytes = options?.authTagLength ?? 16;
    ask('cipherCheck', direction, this.#keyed.algorithm, this.#keyed.key, nonce && bare(nonce));
    this.#isTagged = isTagged(this.#keyed.algorithm);
    const counting = countingOf(this.#keyed);
    if (!this.#isTagged) this.#steps = stepsOf(this.#keyed);
    else if (counting) this.#steps = new CountedSteps(this.#keyed, counting);
  }

  update(data: unknown, from?: BufferEncoding, to?: string): Buffer | string {
    if (this.#ended) throw wrongState('update');
    return this.#shown(this.#took(data, from), to, false);
  }

  #took(data: unknown, from?: BufferEncoding): Buffer {
    const bytes = typeof data === 'string' ? viewOf(data, from) : Buffer.from(viewOf(data));
    if (this.#isTagged) this.#parts.push(bytes);
    return this.#steps?.step(bytes, this.#padding) ?? Buffer.alloc(0);
  }

  final(to?: string): Buffer | string {
    if (this.#ended) throw wrongState('final');
    const rest = this.#rest();
    this.#ended = true;
    return this.#shown(rest, to, true);
  }

  #rest(): Buffer {
    if (!this.#isTagged) return this.#steps?.last(this.#padding) ?? Buffer.alloc(0);
    const whole = this.#whole();
    return this.#steps === undefined ? whole : Buffer.alloc(0);
  }

  /** The output for all of the input; computes the tag, or verifies it when decrypting. */
  #whole(): Buffer {
    const { direction, algorithm, key, iv } = this.#keyed;
    const extras = JSON.stringify({ tagBytes: this.#tagBytes, padding: this.#padding });
    const data = bare(joined([Buffer.alloc(0), ...this.#parts]));
    const aad = this.#aad.length === 0 ? null : bare(joined(this.#aad));
    const tag = this.#tag ? bare(this.#tag) : null;
    const nonce = iv && bare(iv);
    const [bytes, made] = ask('cipher', direction, algorithm, key, nonce, data, aad, tag, extras) as [
      ArrayBuffer,
      ArrayBuffer | null,
    ];
    if (made) this.#tag = Buffer.from(made);
    return Buffer.from(bytes);
  }

  #shown(bytes: Buffer, to: string | undefined, isLast: boolean): Buffer | string {
    if (to === undefined || to === 'buffer') return bytes;
    this.#texts ??= new StringDecoder(to);
    return isLast ? this.#texts.end(bytes) : this.#texts.write(bytes);
  }

  override _transform(
    chunk: unknown,
    encoding: BufferEncoding,
    done: (error?: Error | null, out?: unknown) => void,
  ): void {
    let made: Buffer;
    try {
      made = this.#took(chunk, encoding);
    } catch (error) {
      done(error as Error);
      return;
    }
    done(null, made);
  }

  override _flush(done: (error?: Error | null, out?: unknown) => void): void {
    let made: Buffer | string;
    try {
      made = this.final();
    } catch (error) {
      done(error as Error);
      return;
    }
    done(null, made);
  }

  setAAD(data: unknown): this {
    this.#aad.push(Buffer.from(viewOf(data)));
    return this;
  }

  setAuthTag(tag: unknown, encoding?: BufferEncoding): this {
    this.#tag = Buffer.from(viewOf(tag, encoding, 'tag'));
    return this;
  }

  getAuthTag(): Buffer {
    if (!this.#tag || !this.#ended || this.#keyed.direction === 'decrypt') throw wrongState('getAuthTag');
    return Buffer.from(this.#tag);
  }

  setAutoPadding(padding = true): this {
    this.#padding = padding;
    return this;
  }
}

export class Cipheriv extends Cipher {
  constructor(...args: Arguments) {
    super('encrypt', args);
  }
}

export class Decipheriv extends Cipher {
  constructor(...args: Arguments) {
    super('decrypt', args);
  }
}

export const createCipheriv = (...args: Arguments): Cipher => new Cipheriv(...args);
export const createDecipheriv = (...args: Arguments): Cipher => new Decipheriv(...args);

export const getCipherInfo = (name: unknown, options: object = {}): unknown =>
  JSON.parse(String(ask('cipherInfo', String(name), JSON.stringify(options)))) ?? undefined;
