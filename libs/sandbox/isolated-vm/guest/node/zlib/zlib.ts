// Node's zlib, done by the host: calls with and without a callback, and streams that work when their input has ended.
import stream from 'readable-stream';
import { ask } from '../../core/bridge.ts';
import { LimitError } from '../../core/guest-limits.ts';
import { bare, viewOf } from '../../crypto/bytes.ts';
import { Buffer } from '../../encoding/buffer.ts';
import { codes, constants } from './constants.ts';

type Options = Readonly<Record<string, unknown>>;
type Callback = (error: unknown, result?: Buffer) => void;

/** As much as the host accepts. */
const gatheredBytesMax = 32 * 1024 * 1024;
/** What a stream puts out at once. */
const pieceBytes = 64 * 1024;

/** As Node throws it: zlib errors have their number beside the name. */
function asNode(error: unknown): unknown {
  const { code } = error as { readonly code?: unknown };
  const errno = (codes as Readonly<Record<string, unknown>>)[String(code)];
  if (errno !== undefined) Object.assign(error as object, { errno });
  return error;
}

function work(name: string, data: unknown, options: Options = {}): Buffer {
  const { dictionary, info: _info, ...rest } = options;
  const known = dictionary === undefined ? null : bare(viewOf(dictionary, undefined, 'options.dictionary'));
  try {
    return Buffer.from(
      ask('zlib', name, bare(viewOf(data, undefined, 'buffer')), JSON.stringify(rest), known) as ArrayBuffer,
    );
  } catch (error) {
    throw asNode(error);
  }
}

function later(name: string, ...[data, options, callback]: [unknown, Options | Callback | undefined, Callback?]): void {
  const done = (typeof options === 'function' ? options : callback) as Callback;
  if (typeof done !== 'function')
    throw Object.assign(new TypeError('The "callback" argument must be of type function'), {
      code: 'ERR_INVALID_ARG_TYPE',
    });
  // Input that is not data throws at once, as in Node.
  const bytes = Buffer.from(viewOf(data, undefined, 'buffer'));
  void Promise.resolve().then(() => {
    let result: Buffer;
    try {
      result = work(name, bytes, typeof options === 'function' ? {} : options);
    } catch (error) {
      done(error);
      return;
    }
    done(null, result);
  });
}

/** Everything is gathered and comes out when the input ends, which adds up to the same bytes. */
class Gathering extends stream.Transform {
  bytesWritten = 0;
  readonly #name: string;
  readonly #options: Options;
  #parts: Buffer[] = [];

  constructor(name: string, options: Options = {}) {
    super({ ...(options as object), decodeStrings: true });
    this.#name = name;
    this.#options = options;
  }

  override _transform(chunk: unknown, _encoding: unknown, done: (error?: Error | null) => void): void {
    const part = Buffer.from(viewOf(chunk));
    this.bytesWritten += part.length;
    if (this.bytesWritten > gatheredBytesMax)
      return done(new LimitError(`zlib takes at most ${gatheredBytesMax} bytes`));
    this.#parts.push(part);
    done();
  }

  override _flush(done: (error?: Error | null) => void): void {
    const parts = this.#parts;
    this.#parts = [];
    let result: Buffer;
    try {
      result = work(this.#name, Buffer.concat(parts), this.#options);
    } catch (error) {
      return done(error as Error);
    }
    for (let from = 0; from < result.length; from += pieceBytes) this.push(result.subarray(from, from + pieceBytes));
    done();
  }

  /** There is no output before the end. */
  flush(...args: unknown[]): void {
    const done = args.at(-1);
    if (typeof done === 'function') void Promise.resolve().then(() => done());
  }

  close(done?: () => void): void {
    if (done !== undefined) this.once('close', done);
    this.destroy();
  }
}

const kinds = {
  gzip: 'Gzip',
  gunzip: 'Gunzip',
  deflate: 'Deflate',
  inflate: 'Inflate',
  deflateRaw: 'DeflateRaw',
  inflateRaw: 'InflateRaw',
  unzip: 'Unzip',
  brotliCompress: 'BrotliCompress',
  brotliDecompress: 'BrotliDecompress',
  zstdCompress: 'ZstdCompress',
  zstdDecompress: 'ZstdDecompress',
};

function formsOf([name, className]: readonly [string, string]): readonly (readonly [string, unknown])[] {
  const Kind = class extends Gathering {
    constructor(options?: Options) {
      super(name, options);
    }
  };
  Object.defineProperty(Kind, 'name', { value: className });
  return [
    [name, (data: unknown, options?: Options | Callback, callback?: Callback) => later(name, data, options, callback)],
    [`${name}Sync`, (data: unknown, options?: Options) => work(name, data, options)],
    [`create${className}`, (options?: Options) => new Kind(options)],
    [className, Kind],
  ];
}

export const zlib: Readonly<Record<string, unknown>> = {
  ...constants,
  constants,
  codes,
  crc32: (data: unknown, value = 0): unknown => ask('crc32', bare(viewOf(data)), value),
  ...Object.fromEntries(Object.entries(kinds).flatMap(formsOf)),
};
