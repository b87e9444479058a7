// ReadStream and WriteStream of files, built as in Node, because packages extend them and replace their `open`.
import { Readable, Writable } from 'readable-stream';
import { Buffer } from '../../encoding/buffer.ts';
import { closeSync, openSync, readSync, writeSync } from './descriptors.ts';
import { optionsOf } from './files.ts';
import { pathText } from './paths.ts';
import type { PathLike } from './paths.ts';

interface StreamOptions {
  readonly flags?: string;
  readonly encoding?: BufferEncoding;
  readonly fd?: number | { readonly fd: number };
  readonly mode?: number;
  readonly autoClose?: boolean;
  readonly emitClose?: boolean;
  readonly start?: number;
  readonly end?: number;
  readonly highWaterMark?: number;
  readonly signal?: AbortSignal;
}

type Done = (error?: Error | null) => void;

interface FileStream {
  path: string | undefined;
  fd: number | null;
  flags: string;
  mode: number | undefined;
  start: number | undefined;
  /** Only a ReadStream has this field; on a WriteStream `end` is the method. */
  end: number;
  pos: number | undefined;
  bytesRead: number;
  bytesWritten: number;
  autoClose: boolean;
  closed: boolean;
  open(): void;
  emit(name: string, ...args: readonly unknown[]): boolean;
  push(part: Uint8Array | null): boolean;
  destroy(error?: unknown): void;
}

/** Bytes per read, by default. */
const readBytes = 64 * 1024;

const fdOf = (fd: StreamOptions['fd']): number | null => (typeof fd === 'object' ? fd.fd : (fd ?? null));

function setUp(stream: FileStream, where: PathLike, options: StreamOptions, flags: string): void {
  stream.fd = fdOf(options.fd);
  stream.path = stream.fd === null || where ? pathText(where) : undefined;
  stream.flags = options.flags ?? flags;
  stream.mode = options.mode;
  stream.autoClose = options.autoClose ?? true;
  stream.start = options.start;
  stream.pos = options.start;
  stream.bytesRead = stream.bytesWritten = 0;
}

/** Opens the stream's file; a package that replaces `open` emits `open` or `error` itself. */
function ownOpen(this: FileStream): void {
  this.fd = openSync(this.path ?? '', this.flags, this.mode);
}

function emitOpened(stream: FileStream, done: Done): void {
  done();
  stream.emit('open', stream.fd);
  stream.emit('ready');
}

function construct(this: FileStream, done: Done): void {
  if (typeof this.fd === 'number') return done();
  if (this.open !== ownOpen) return openAsReplaced(this, done);
  try {
    this.open();
  } catch (error) {
    return done(error as Error);
  }
  return emitOpened(this, done);
}

function openAsReplaced(stream: FileStream, done: Done): void {
  const { emit } = stream;
  stream.emit = (name, ...args) => {
    if (name !== 'open' && name !== 'error') return emit.call(stream, name, ...args);
    stream.emit = emit;
    done(name === 'error' ? (args[0] as Error) : null);
    return name === 'error' || emit.call(stream, name, ...args);
  };
  stream.open();
}

function release(this: FileStream, error: Error | null, done: Done): void {
  const { fd } = this;
  this.fd = null;
  if (fd !== null && this.autoClose) {
    try {
      closeSync(fd);
    } catch {
      // Another user of the descriptor has already closed it.
    }
  }
  done(error);
}

/** Functions instead of classes, so that they can be called on objects that inherit from them. */
type StreamClass = ((this: FileStream, where: PathLike, options?: unknown) => unknown) & { prototype: FileStream };

function derive(constructor: StreamClass, base: { prototype: object }, methods: object): void {
  Object.setPrototypeOf(constructor.prototype, base.prototype);
  Object.setPrototypeOf(constructor, base);
  Object.assign(constructor.prototype, { open: ownOpen, _construct: construct, _destroy: release, ...methods });
}

type Base = { call(self: FileStream, options: object): void; prototype: object };

export const ReadStream = function ReadStream(this: FileStream, where, options): unknown {
  if (!(this instanceof ReadStream)) return Reflect.construct(ReadStream, [where, options]);
  const streamOptions = optionsOf(options) as StreamOptions;
  setUp(this, where, streamOptions, 'r');
  this.end = streamOptions.end ?? Infinity;
  const { encoding, emitClose = true, autoClose = true, highWaterMark = readBytes, signal } = streamOptions;
  const base = {
    emitClose,
    autoDestroy: autoClose,
    highWaterMark,
    ...(encoding ? { encoding } : {}),
    ...(signal ? { signal } : {}),
  };
  (Readable as unknown as Base).call(this, base);
  return this;
} as StreamClass;

derive(ReadStream, Readable, {
  _read(this: FileStream, requested: number): void {
    const remaining = this.pos === undefined ? this.end - this.bytesRead + 1 : this.end - this.pos + 1;
    const buffer = Buffer.alloc(Math.max(0, Math.min(requested, readBytes, remaining)));
    try {
      const count = buffer.length === 0 ? 0 : readSync(this.fd ?? -1, buffer, 0, buffer.length, this.pos ?? null);
      if (this.pos !== undefined) this.pos += count;
      this.bytesRead += count;
      this.push(count === 0 ? null : buffer.subarray(0, count));
    } catch (error) {
      this.destroy(error);
    }
  },
  close(this: FileStream & { once(name: string, callback: Done): void }, callback?: Done): void {
    if (callback) this.once('close', callback);
    this.destroy();
  },
});

export const WriteStream = function WriteStream(this: FileStream, where, options): unknown {
  if (!(this instanceof WriteStream)) return Reflect.construct(WriteStream, [where, options]);
  const streamOptions = optionsOf(options) as StreamOptions;
  setUp(this, where, streamOptions, 'w');
  const { encoding, emitClose = true, autoClose = true, highWaterMark = readBytes, signal } = streamOptions;
  const base = { emitClose, autoDestroy: autoClose, highWaterMark, decodeStrings: true, ...(signal ? { signal } : {}) };
  (Writable as unknown as Base).call(this, base);
  if (encoding) (this as unknown as Writable).setDefaultEncoding(encoding);
  return this;
} as StreamClass;

derive(WriteStream, Writable, {
  _write(this: FileStream, chunk: Uint8Array, _encoding: string, done: Done): void {
    try {
      const count = writeSync(this.fd ?? -1, chunk, 0, chunk.length, this.pos ?? null);
      if (this.pos !== undefined) this.pos += count;
      this.bytesWritten += count;
      done();
    } catch (error) {
      done(error as Error);
    }
  },
  close(this: FileStream & { once(name: string, callback: Done): void; end(): void }, callback?: Done): void {
    if (callback && this.closed) return callback();
    if (callback) this.once('close', callback);
    this.end();
  },
});

interface Stream {
  new (where: PathLike, options?: unknown): unknown;
}

export const createReadStream = (where: PathLike, options?: unknown): unknown =>
  new (ReadStream as unknown as Stream)(where, options);
export const createWriteStream = (where: PathLike, options?: unknown): unknown =>
  new (WriteStream as unknown as Stream)(where, options);
