// A document's JSON text as stored: compressed against its view's sample and its own id, which contain most of it.
import { constants, deflateRawSync, inflateRawSync, zstdCompressSync, zstdDecompressSync } from 'node:zlib';

/** Compressing shorter texts gains nothing. */
const compressedFromBytes = 128;
/** Shorter texts are deflated: what zstd sets up for a text takes twice as long as all of that, and the result is larger. */
const deflatedBelowChars = 8 * 1024;
/** The fastest level, and tables for a few KiB: large ones take longer to set up than the text to compress. */
const deflating = { level: 1, windowBits: 12, memLevel: 5, chunkSize: 2 * 1024 };
/** Stands before what is deflated; the first byte of zstd's is another. */
const deflatedMark = Buffer.of(1);
const params = { [constants.ZSTD_c_compressionLevel]: 1 };

export class StoredValues {
  readonly #dictionary: Buffer;

  constructor(sample: string) {
    this.#dictionary = Buffer.from(sample);
  }

  /** Call on the writing thread: more than 10 microseconds for a small document. */
  store(id: string, text: string): string | Buffer {
    if (this.#dictionary.length === 0 || text.length < compressedFromBytes) return text;
    const dictionary = this.#dictionaryOf(id);
    if (text.length >= deflatedBelowChars) return zstdCompressSync(text, { dictionary, params });
    return Buffer.concat([deflatedMark, deflateRawSync(text, { ...deflating, dictionary })]);
  }

  read(id: string, stored: string | Buffer): string {
    if (typeof stored === 'string') return stored;
    const dictionary = this.#dictionaryOf(id);
    const isDeflated = stored[0] === deflatedMark[0];
    const text = isDeflated
      ? inflateRawSync(stored.subarray(deflatedMark.length), { dictionary })
      : zstdDecompressSync(stored, { dictionary });
    return text.toString();
  }

  #dictionaryOf(id: string): Buffer {
    return Buffer.concat([this.#dictionary, Buffer.from(id)]);
  }
}
