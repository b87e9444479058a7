// createCipheriv and createDecipheriv, also as streams: all input is gathered and comes out of `final`: the same bytes
// in total.
import { Transform } from 'readable-stream';
import { ask } from '../core/bridge.ts';
import { Buffer } from '../encoding/buffer.ts';
import { bare, encoded, joined, viewOf } from './bytes.ts';
import { isSecretKey } from './key-object.ts';

type Direction = 'encrypt' | 'decrypt';
type Arguments = [algorithm: unknown, key: unknown, iv: unknown, options?: { readonly authTagLength?: number }];

class Cipher extends Transform {
  readonly #direction: Direction;
  readonly #algorithm: string;
  readonly #key: ArrayBuffer;
  readonly #iv: ArrayBuffer | null;
  readonly #tagBytes: number;
  readonly #parts: Buffer[] = [];
  #aad: ArrayBuffer | null = null;
  #tag: Buffer | undefined;
  #padding = true;

  constructor(direction: Direction, [algorithm, key, iv, options]: Arguments) {
    super();
    this.#direction = direction;
    this.#algorithm = String(algorithm);
    this.#key = bare(isSecretKey(key) ? key.bytes : viewOf(key, undefined, 'key'));
    this.#iv = iv === null || iv === undefined ? null : bare(viewOf(iv, undefined, 'iv'));
    this.#tagBytes = options?.authTagLength ?? 16;
    ask('cipherCheck', direction, this.#algorithm, this.#key, this.#iv);
  }

  update(data: unknown, from?: BufferEncoding, to?: string): Buffer | string {
    this.#parts.push(typeof data === 'string' ? viewOf(data, from) : Buffer.from(viewOf(data)));
    return encoded(Buffer.alloc(0), to);
  }

  final(to?: string): Buffer | string {
    const extras = { tagBytes: this.#tagBytes, padding: this.#padding };
    const [bytes, tag] = ask(
      'cipher',
      this.#direction,
      this.#algorithm,
      this.#key,
      this.#iv,
      bare(joined(this.#parts)),
      this.#aad,
      this.#tag ? bare(this.#tag) : null,
      JSON.stringify(extras),
    ) as [ArrayBuffer, ArrayBuffer | null];
    if (tag) this.#tag = Buffer.from(tag);
    return encoded(Buffer.from(bytes), to);
  }

  override _transform(chunk: unknown, encoding: BufferEncoding, done: () => void): void {
    this.update(chunk, encoding);
    done();
  }

  override _flush(done: (error?: Error | null) => void): void {
    try {
      this.push(this.final());
    } catch (error) {
      done(error as Error);
      return;
    }
    done();
  }

  setAAD(data: unknown): this {
    this.#aad = bare(viewOf(data));
    return this;
  }

  setAuthTag(tag: unknown, encoding?: BufferEncoding): this {
    this.#tag = viewOf(tag, encoding, 'tag');
    return this;
  }

  getAuthTag(): Buffer {
    if (!this.#tag)
      throw Object.assign(new Error('Invalid state for operation getAuthTag'), { code: 'ERR_CRYPTO_INVALID_STATE' });
    return Buffer.from(this.#tag);
  }

  setAutoPadding(padding = true): this {
    this.#padding = padding;
    return this;
  }
}

export const createCipheriv = (...args: Arguments): Cipher => new Cipher('encrypt', args);
export const createDecipheriv = (...args: Arguments): Cipher => new Cipher('decrypt', args);
