// Node's zlib, computed by the host: functions with and without callbacks, and streams that work when their input ends.
import stream from 'readable-stream';
import { ask } from '../../core/bridge.ts';
import { LimitError } from '../../core/guest-limits.ts';
import { toArrayBuffer, viewOf } from '../../crypto/bytes.ts';
import { Buffer } from '../../encoding/buffer.ts';
import { codes, constants } from './constants.ts';

type Options = Readonly<Record<string, unknown>>;
type Callback = (error: unknown, result?: Buffer) => void;

/** The host's limit. */
const gatheredBytesMax = 32 * 1024 * 1024;
/** Bytes that a stream outputs at once. */
const pieceBytes = 64 * 1024;
/** Default size of the output buffer of Node's streams. */
const defaultChunkBytes = 16 * 1024;

/** The error as in Node, where zlib errors have a number in addition to the code. */
function addErrno(error: unknown): unknown {
  const { code } = error as { readonly code?: unknown };
  const errno = (codes as Readonly<Record<string, unknown>>)[String(code)];
  if (errno !== undefined) Object.assign(error as object, { errno });
  return error;
}

function runZlib(name: string, data: unknown, options: Options = {}): Buffer {
  const { dictionary, info: _info, ...jsonOptions } = options;
  const dictionaryBytes =
    dictionary === undefined ? null : toArrayBuffer(viewOf(dictionary, undefined, 'options.dictionary'));
  try {
    return Buffer.from(
      ask(
        'zlib',
        name,
        toArrayBuffer(viewOf(data, undefined, 'buffer')),
        JSON.stringify(jsonOptions),
        dictionaryBytes,
      ) as ArrayBuffer,
    );
  } catch (error) {
    throw addErrno(error);
  }
}

function runLater(
  name: string,
  ...[data, options, callback]: [unknown, Options | Callback | undefined, Callback?]
): void {
  const done = (typeof options === 'function' ? options : callback) as Callback;
  if (typeof done !== 'function')
    throw Object.assign(new TypeError('The "callback" argument must be of type function'), {
      code: 'ERR_INVALID_ARG_TYPE',
    });
  // Throws at once if the input is no data, as in Node.
  const bytes = Buffer.from(viewOf(data, undefined, 'buffer'));
  void Promise.resolve().then(() => {
    let result: Buffer;
    try {
      result = runZlib(name, bytes, typeof options === 'function' ? {} : options);
    } catch (error) {
      done(error);
      return;
    }
    done(null, result);
  });
}

interface StreamState {
  readonly name: string;
  readonly options: Options;
  parts: Buffer[];
}

/** Kept outside of the objects, because packages call the constructors on streams of their own. */
const streamStates = new WeakMap<object, StreamState>();

function stateOf(zlibStream: object): StreamState {
  const found = streamStates.get(zlibStream);
  if (found === undefined) throw new TypeError('This stream was not made by zlib');
  return found;
}

/** Gathers all of the input and outputs the result when it ends; the bytes are the same as in Node. */
class Gathering extends stream.Transform {
  declare bytesWritten: number;

  override _transform(chunk: unknown, _encoding: unknown, done: (error?: Error | null) => void): void {
    const part = Buffer.from(viewOf(chunk));
    this.bytesWritten += part.length;
    if (this.bytesWritten > gatheredBytesMax)
      return done(new LimitError(`zlib takes at most ${gatheredBytesMax} bytes`));
    stateOf(this).parts.push(part);
    done();
  }

  override _flush(done: (error?: Error | null) => void): void {
    const state = stateOf(this);
    const { name, options, parts } = state;
    state.parts = [];
    let result: Buffer;
    try {
      result = runZlib(name, Buffer.concat(parts), options);
    } catch (error) {
      return done(error as Error);
    }
    for (let from = 0; from < result.length; from += pieceBytes) this.push(result.subarray(from, from + pieceBytes));
    done();
  }

  /** Only calls back, because there is no output before the end. */
  flush(...args: unknown[]): void {
    const done = args.at(-1);
    if (typeof done === 'function') void Promise.resolve().then(() => done());
  }

  close(done?: () => void): void {
    if (done !== undefined) this.once('close', done);
    this.destroy();
  }
}

function initialize(zlibStream: Gathering, name: string, options: Options = {}): void {
  (stream.Transform as unknown as (this: object, options: object) => void).call(zlibStream, {
    ...options,
    decodeStrings: true,
  });
  zlibStream.bytesWritten = 0;
  streamStates.set(zlibStream, { name, options, parts: [] });
  const chunkBytes = Number(options['chunkSize'] ?? defaultChunkBytes);
  const fields = { _chunkSize: chunkBytes, _outOffset: 0, _outBuffer: Buffer.alloc(chunkBytes), _hadError: false };
  Object.assign(zlibStream, fields, { _handle: handleOf(name, options) });
}

/**
 * The internal handle of Node's streams, which packages that read images use synchronously: `writeSync` takes the whole
 * input at once, and returns how much input and room for output are left.
 */
function handleOf(name: string, options: Options): object {
  let result: Buffer | undefined;
  let at = 0;
  const writeSync = (
    _flush: number,
    input: Uint8Array,
    ...rest: readonly [number, number, Uint8Array, number, number]
  ) => {
    const [from, length, output, to, capacity] = rest;
    result ??= runZlib(name, input.subarray(from, from + length), options);
    const count = Math.min(capacity, result.length - at);
    output.set(result.subarray(at, at + count), to);
    at += count;
    return [at < result.length ? length : 0, capacity - count];
  };
  return { writeSync, close: () => {} };
}

const classNames = {
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

function functionsOf([name, className]: readonly [string, string]): readonly (readonly [string, unknown])[] {
  // A function, as in Node: it can be called without `new`, and on a stream of a subclass.
  const Kind = function (this: unknown, options?: Options): Gathering {
    const zlibStream =
      this instanceof Kind ? (this as Gathering) : (Object.create(Kind.prototype as object) as Gathering);
    initialize(zlibStream, name, options);
    return zlibStream;
  } as unknown as { new (options?: Options): Gathering; prototype: object };
  Kind.prototype = Object.create(Gathering.prototype, {
    constructor: { value: Kind, writable: true, configurable: true },
  });
  Object.setPrototypeOf(Kind, Gathering);
  Object.defineProperty(Kind, 'name', { value: className });
  return [
    [
      name,
      (data: unknown, options?: Options | Callback, callback?: Callback) => runLater(name, data, options, callback),
    ],
    [`${name}Sync`, (data: unknown, options?: Options) => runZlib(name, data, options)],
    [`create${className}`, (options?: Options) => new Kind(options)],
    [className, Kind],
  ];
}

export const zlib: Readonly<Record<string, unknown>> = {
  ...constants,
  constants,
  codes,
  crc32: (data: unknown, value = 0): unknown => ask('crc32', toArrayBuffer(viewOf(data)), value),
  ...Object.fromEntries(Object.entries(classNames).flatMap(functionsOf)),
};
