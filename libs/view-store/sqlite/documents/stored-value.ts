// Encodes a document's JSON text for storage, without most of what its view's sample and its id already contain.
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { Template } from './template.ts';

/** Compressing shorter texts gains nothing. */
const compressedFromCharacters = 128;
/**
 * Shorter texts become nearly as short with a template, in a tenth of the time: any compression takes at least 20 µs.
 */
const largeFromCharacters = 1024;
/** The fastest level. For small documents the window starts at 1 KiB: they do not need the tables of large ones. */
const params = { [constants.ZSTD_c_compressionLevel]: 1 };
const smallParams = { ...params, [constants.ZSTD_c_windowLog]: 10 };

export class StoredValues {
  readonly #dictionary: Buffer;
  readonly #template: Template;

  constructor(sample: string) {
    this.#dictionary = Buffer.from(sample);
    this.#template = new Template(sample);
  }

  /** Call on the writing thread: compression takes 20 microseconds and more. */
  store(id: string, text: string): string | Buffer {
    if (this.#dictionary.length === 0) return text;
    if (text.length >= largeFromCharacters) return this.#compress(id, text, params);
    const short = this.#template.shorten(id, text);
    if (short !== undefined) return short;
    return text.length < compressedFromCharacters ? text : this.#compress(id, text, smallParams);
  }

  read(id: string, stored: string | Buffer): string {
    return typeof stored === 'string'
      ? this.#template.expand(id, stored)
      : zstdDecompressSync(stored, { dictionary: this.#dictionaryOf(id) }).toString();
  }

  #compress(id: string, text: string, level: typeof params): Buffer {
    return zstdCompressSync(text, { dictionary: this.#dictionaryOf(id), params: level });
  }

  #dictionaryOf(id: string): Buffer {
    return Buffer.concat([this.#dictionary, Buffer.from(id)]);
  }
}
