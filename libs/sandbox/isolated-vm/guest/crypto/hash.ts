// createHash and createHmac: gathers the data, and hashes it in one operation when the digest is requested.
import { Transform } from 'readable-stream';
import { Buffer } from '../encoding/buffer.ts';
import { askBytes, toArrayBuffer, encode, concatBuffers, viewOf } from './bytes.ts';
import { isSecretKey } from './keys/key-object.ts';

const isUtf8 = (encoding: unknown): boolean => encoding === undefined || encoding === 'utf8' || encoding === 'utf-8';

const finalizedError = (): Error =>
  Object.assign(new Error('Digest already called'), { code: 'ERR_CRYPTO_HASH_FINALIZED' });

/** The base of both: a Transform as in Node, so that streams can be piped through it. */
class Digesting extends Transform {
  readonly algorithm: string;
  readonly #key: ArrayBuffer | string | undefined;
  #parts: (Buffer | string)[] = [];
  #isDigested = false;

  /** For a hash whose output can have any length, such as shake256. */
  readonly outputLength: number | undefined;

  constructor(algorithm: string, key?: ArrayBuffer | string, outputLength?: number) {
    super();
    this.algorithm = algorithm;
    this.#key = key;
    this.outputLength = outputLength;
  }

  update(data: unknown, encoding?: BufferEncoding): this {
    if (this.#isDigested) throw finalizedError();
    // Bytes are copied: the caller might reuse its buffer before the digest. Text stays text: the host encodes faster.
    if (typeof data === 'string') this.#parts.push(isUtf8(encoding) ? data : viewOf(data, encoding));
    else this.#parts.push(Buffer.from(viewOf(data)));
    return this;
  }

  digest(encoding?: string): Buffer | string {
    if (this.#isDigested) throw finalizedError();
    this.#isDigested = true;
    return encode(this.#bytes(), encoding);
  }

  #bytes(): Buffer {
    const data = this.#data();
    if (this.#key !== undefined) return askBytes('hmac', this.algorithm, this.#key, data);
    return askBytes('hash', this.algorithm, data, this.outputLength ?? null);
  }

  #data(): ArrayBuffer | string {
    const [only] = this.#parts;
    if (typeof only === 'string' && this.#parts.length === 1) return only;
    return toArrayBuffer(concatBuffers(this.#parts.map((part) => viewOf(part))));
  }

  protected continueFrom(other: Digesting): void {
    if (other.#isDigested) throw finalizedError();
    this.#parts = [...other.#parts];
  }

  override _transform(chunk: unknown, encoding: BufferEncoding, done: () => void): void {
    this.update(chunk, encoding);
    done();
  }

  /** As in Node, `digest` can still be called after the end of the stream. */
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

export class Hash extends Digesting {
  copy(options?: HashOptions): Hash {
    const copy = new Hash(this.algorithm, undefined, options?.outputLength ?? this.outputLength);
    copy.continueFrom(this);
    return copy;
  }
}

export class Hmac extends Digesting {
  /** After the first digest every further one is empty, as in Node. */
  #isDigested = false;

  override digest(encoding?: string): Buffer | string {
    if (this.#isDigested) return encode(Buffer.alloc(0), encoding);
    this.#isDigested = true;
    return super.digest(encoding);
  }
}

interface HashOptions {
  readonly outputLength?: number;
}

/** The names, as in OpenSSL, that `getHashes` returns; the host has more. */
export const hashNames = 'md5 ripemd160 sha1 sha224 sha256 sha384 sha512 sha512-256 sha3-256 sha3-384 sha3-512'.split(
  ' ',
);

/** The names already checked. Others are checked at creation, so that an unknown one throws there, as in Node. */
const checkedAlgorithms = new Map<string, boolean>(hashNames.map((name) => [name, true]));

function textArgument(name: string, value: unknown): string {
  if (typeof value === 'string') return value;
  const received = value === null || value === undefined ? String(value) : `type ${typeof value}`;
  throw Object.assign(new TypeError(`The "${name}" argument must be of type string. Received ${received}`), {
    code: 'ERR_INVALID_ARG_TYPE',
  });
}

function checkAlgorithm(algorithm: string): string {
  const name = algorithm.toLowerCase();
  if (!checkedAlgorithms.has(name)) {
    askBytes('hash', name, new ArrayBuffer(0));
    checkedAlgorithms.set(name, true);
  }
  return name;
}

export const createHash = (algorithm: unknown, options?: HashOptions | null): Hash =>
  new Hash(checkAlgorithm(textArgument('algorithm', algorithm)), undefined, options?.outputLength);

function checkHmacAlgorithm(algorithm: unknown): string {
  const text = textArgument('hmac', algorithm);
  try {
    return checkAlgorithm(text);
  } catch {
    throw Object.assign(new TypeError(`Invalid digest: ${text}`), { code: 'ERR_CRYPTO_INVALID_DIGEST' });
  }
}

export function createHmac(algorithm: unknown, key: unknown, options?: { readonly encoding?: BufferEncoding }): Hmac {
  const digest = checkHmacAlgorithm(algorithm);
  const encoding = options?.encoding;
  if (typeof key === 'string' && isUtf8(encoding)) return new Hmac(digest, key);
  const bytes = isSecretKey(key) ? key.bytes : viewOf(key, encoding, 'key');
  return new Hmac(digest, toArrayBuffer(bytes));
}

interface OneShotOptions extends HashOptions {
  readonly outputEncoding?: string;
}

/** `options` can be the encoding alone. */
export function hash(algorithm: unknown, data: unknown, options: string | OneShotOptions = {}): Buffer | string {
  const hashOptions = typeof options === 'string' ? { outputEncoding: options } : options;
  return createHash(algorithm, hashOptions)
    .update(data)
    .digest(hashOptions.outputEncoding ?? 'hex');
}
