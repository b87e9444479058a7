// createHash and createHmac: parts are gathered here and hashed in one go when the digest is asked for.
import { Transform } from 'readable-stream';
import { Buffer } from '../encoding/buffer.ts';
import { askBytes, bare, encoded, joined, viewOf } from './bytes.ts';
import { isSecretKey } from './keys/key-object.ts';

const isUtf8 = (encoding: unknown): boolean => encoding === undefined || encoding === 'utf8' || encoding === 'utf-8';

const finalized = (): Error => Object.assign(new Error('Digest already called'), { code: 'ERR_CRYPTO_HASH_FINALIZED' });

/** Both kinds: a Transform as in Node, so that streams can be piped through it. */
export class Hash extends Transform {
  readonly algorithm: string;
  readonly key: ArrayBuffer | string | undefined;
  #parts: (Buffer | string)[] = [];
  #done = false;

  /** Of a function whose output may have any length, such as shake256. */
  readonly outputLength: number | undefined;

  constructor(algorithm: string, key?: ArrayBuffer | string, outputLength?: number) {
    super();
    this.algorithm = algorithm;
    this.key = key;
    this.outputLength = outputLength;
  }

  update(data: unknown, encoding?: BufferEncoding): this {
    if (this.#done) throw finalized();
    // A copy, because the caller may reuse its buffer before the digest; text stays text: the host encodes it quicker.
    if (typeof data === 'string') this.#parts.push(isUtf8(encoding) ? data : viewOf(data, encoding));
    else this.#parts.push(Buffer.from(viewOf(data)));
    return this;
  }

  digest(encoding?: string): Buffer | string {
    if (this.#done) throw finalized();
    this.#done = true;
    return encoded(this.#bytes(), encoding);
  }

  #bytes(): Buffer {
    const data = this.#data();
    if (this.key !== undefined) return askBytes('hmac', this.algorithm, this.key, data);
    return askBytes('hash', this.algorithm, data, this.outputLength ?? null);
  }

  #data(): ArrayBuffer | string {
    const [only] = this.#parts;
    if (typeof only === 'string' && this.#parts.length === 1) return only;
    return bare(joined(this.#parts.map((part) => viewOf(part))));
  }

  copy(): Hash {
    if (this.#done) throw finalized();
    const copy = new Hash(this.algorithm, this.key, this.outputLength);
    copy.#parts = [...this.#parts];
    return copy;
  }

  override _transform(chunk: unknown, encoding: BufferEncoding, done: () => void): void {
    this.update(chunk, encoding);
    done();
  }

  /** As in Node, `digest` may still be called after the end of the stream. */
  override _flush(done: (error?: Error | null) => void): void {
    try {
      this.push(this.#bytes());
    } catch (error) {
      done(error as Error);
      return;
    }
    done();
  }
}

/** As OpenSSL names them; the host has more, these are what `getHashes` shows. */
export const hashNames = 'md5 ripemd160 sha1 sha224 sha256 sha384 sha512 sha512-256 sha3-256 sha3-384 sha3-512'.split(
  ' ',
);

/** Checked once for each name, so that an unknown one fails at creation as in Node. */
const known = new Map<string, boolean>(hashNames.map((name) => [name, true]));

function checked(algorithm: unknown): string {
  const name = String(algorithm).toLowerCase();
  if (!known.has(name)) {
    askBytes('hash', name, new ArrayBuffer(0));
    known.set(name, true);
  }
  return name;
}

export const createHash = (algorithm: unknown, options?: { readonly outputLength?: number }): Hash =>
  new Hash(checked(algorithm), undefined, options?.outputLength);

export function createHmac(algorithm: unknown, key: unknown): Hash {
  if (typeof key === 'string') return new Hash(checked(algorithm), key);
  const bytes = isSecretKey(key) ? key.bytes : viewOf(key, undefined, 'key');
  return new Hash(checked(algorithm), bare(bytes));
}

export const hash = (algorithm: string, data: unknown, encoding = 'hex'): Buffer | string =>
  createHash(algorithm).update(data).digest(encoding);
