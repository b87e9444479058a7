// createCipheriv and createDecipheriv, also as streams: `update` returns the output that is final, `final` the rest.
import { Transform } from 'readable-stream';
import { hasAuthTag } from '../../../wire.ts';
import { ask } from '../../core/bridge.ts';
import { Buffer } from '../../encoding/buffer.ts';
import { StringDecoder } from '../../encoding/string-decoder.ts';
import { toArrayBuffer, concatBuffers, viewOf } from '../bytes.ts';
import { isSecretKey } from '../keys/key-object.ts';
import { counterModeOf, CounterCipher, incrementalCipherOf } from './incremental-cipher.ts';
import type { Direction, CipherParams, IncrementalCipher } from './incremental-cipher.ts';

type Arguments = [algorithm: unknown, key: unknown, iv: unknown, options?: { readonly authTagLength?: number }];

const wrongState = (operation: string): Error =>
  Object.assign(new Error(`Invalid state for operation ${operation}`), { code: 'ERR_CRYPTO_INVALID_STATE' });

class Cipher extends Transform {
  readonly #params: CipherParams;
  readonly #tagBytes: number;
  readonly #isTagged: boolean;
  /** Undefined: output is possible only after all of the input. */
  readonly #incremental: IncrementalCipher | undefined;
  /** All input so far; only kept if the cipher has a tag. */
  readonly #parts: Buffer[] = [];
  #aad: Buffer[] = [];
  #authTag: Buffer | undefined;
  #padding = true;
  #ended = false;
  /** Decodes output as text; a character that is split between two pieces is returned with the second. */
  #decoder: StringDecoder | undefined;

  constructor(direction: Direction, [algorithm, key, iv, options]: Arguments) {
    super();
    const nonce = iv === null || iv === undefined ? null : Buffer.from(viewOf(iv, undefined, 'iv'));
    this.#params = {
      direction,
      algorithm: String(algorithm),
      key: toArrayBuffer(isSecretKey(key) ? key.bytes : viewOf(key, undefined, 'key')),
      iv: nonce,
    };
    this.#tagBytes = options?.authTagLength ?? 16;
    ask('cipherCheck', direction, this.#params.algorithm, this.#params.key, nonce && toArrayBuffer(nonce));
    this.#isTagged = hasAuthTag(this.#params.algorithm);
    const counterMode = counterModeOf(this.#params);
    if (!this.#isTagged) this.#incremental = incrementalCipherOf(this.#params);
    else if (counterMode) this.#incremental = new CounterCipher(this.#params, counterMode);
  }

  update(data: unknown, inputEncoding?: BufferEncoding, outputEncoding?: string): Buffer | string {
    if (this.#ended) throw wrongState('update');
    return this.#encodeOutput(this.#addInput(data, inputEncoding), outputEncoding, false);
  }

  #addInput(data: unknown, inputEncoding?: BufferEncoding): Buffer {
    const bytes = typeof data === 'string' ? viewOf(data, inputEncoding) : Buffer.from(viewOf(data));
    if (this.#isTagged) this.#parts.push(bytes);
    return this.#incremental?.update(bytes, this.#padding) ?? Buffer.alloc(0);
  }

  final(outputEncoding?: string): Buffer | string {
    if (this.#ended) throw wrongState('final');
    const output = this.#finalOutput();
    this.#ended = true;
    return this.#encodeOutput(output, outputEncoding, true);
  }

  #finalOutput(): Buffer {
    if (!this.#isTagged) return this.#incremental?.final(this.#padding) ?? Buffer.alloc(0);
    const output = this.#processAll();
    return this.#incremental === undefined ? output : Buffer.alloc(0);
  }

  /** The output for all of the input; computes the tag, or verifies it when decrypting. */
  #processAll(): Buffer {
    const { direction, algorithm, key, iv } = this.#params;
    const options = JSON.stringify({ tagBytes: this.#tagBytes, padding: this.#padding });
    const data = toArrayBuffer(concatBuffers([Buffer.alloc(0), ...this.#parts]));
    const aad = this.#aad.length === 0 ? null : toArrayBuffer(concatBuffers(this.#aad));
    const tag = this.#authTag ? toArrayBuffer(this.#authTag) : null;
    const nonce = iv && toArrayBuffer(iv);
    const [bytes, computedTag] = ask('cipher', direction, algorithm, key, nonce, data, aad, tag, options) as [
      ArrayBuffer,
      ArrayBuffer | null,
    ];
    if (computedTag) this.#authTag = Buffer.from(computedTag);
    return Buffer.from(bytes);
  }

  #encodeOutput(bytes: Buffer, outputEncoding: string | undefined, isLast: boolean): Buffer | string {
    if (outputEncoding === undefined || outputEncoding === 'buffer') return bytes;
    this.#decoder ??= new StringDecoder(outputEncoding);
    return isLast ? this.#decoder.end(bytes) : this.#decoder.write(bytes);
  }

  override _transform(
    chunk: unknown,
    encoding: BufferEncoding,
    done: (error?: Error | null, out?: unknown) => void,
  ): void {
    let output: Buffer;
    try {
      output = this.#addInput(chunk, encoding);
    } catch (error) {
      done(error as Error);
      return;
    }
    done(null, output);
  }

  override _flush(done: (error?: Error | null, out?: unknown) => void): void {
    let output: Buffer | string;
    try {
      output = this.final();
    } catch (error) {
      done(error as Error);
      return;
    }
    done(null, output);
  }

  setAAD(data: unknown): this {
    this.#aad.push(Buffer.from(viewOf(data)));
    return this;
  }

  setAuthTag(tag: unknown, encoding?: BufferEncoding): this {
    this.#authTag = Buffer.from(viewOf(tag, encoding, 'tag'));
    return this;
  }

  getAuthTag(): Buffer {
    if (!this.#authTag || !this.#ended || this.#params.direction === 'decrypt') throw wrongState('getAuthTag');
    return Buffer.from(this.#authTag);
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
