// The FileHandle of `fs.promises.open`: an open file with methods.
import EventEmitter from 'events/events.js';
import { Readable } from 'readable-stream';
import { Buffer } from '../../encoding/buffer.ts';
import { Interface } from '../readline.ts';
import * as descriptors from './descriptors.ts';
import { appendFileSync, readFileSync, writeFileSync } from './files.ts';
import type { Stats } from './nodes.ts';
import { createReadStream, createWriteStream } from './streams.ts';

const bytesOf = (part: unknown): Uint8Array => descriptors.bytesOf(part);

const isIterable = (data: unknown): data is AsyncIterable<unknown> | Iterable<unknown> =>
  typeof data === 'object' && data !== null && (Symbol.asyncIterator in data || Symbol.iterator in data);

/** Reads a stream or another iterable into one Buffer; returns any other value unchanged. */
export async function readAllBytes(data: unknown): Promise<unknown> {
  if (ArrayBuffer.isView(data) || !isIterable(data)) return data;
  const parts: Uint8Array[] = [];
  for await (const part of data) parts.push(bytesOf(part));
  return Buffer.concat(parts);
}

/** The size of the buffer, as in Node, when a read has none. */
const defaultBufferBytes = 16 * 1024;

interface Transfer {
  readonly buffer: unknown;
}

export class FileHandle extends EventEmitter {
  fd: number;

  constructor(fd: number) {
    super();
    this.fd = fd;
  }
  /** Reads into the given buffer, the first argument or an option, or into a new one. */
  async read(first?: unknown, ...rest: readonly unknown[]): Promise<Transfer & { readonly bytesRead: number }> {
    if (ArrayBuffer.isView(first)) return { bytesRead: descriptors.readSync(this.fd, first, ...rest), buffer: first };
    const { buffer = Buffer.alloc(defaultBufferBytes), ...range } = (first ?? {}) as descriptors.Range & {
      readonly buffer?: unknown;
    };
    return { bytesRead: descriptors.readSync(this.fd, buffer, range), buffer };
  }
  async write(data: unknown, ...rest: readonly unknown[]): Promise<Transfer & { readonly bytesWritten: number }> {
    return { bytesWritten: descriptors.writeSync(this.fd, data, ...rest), buffer: data };
  }
  async readFile(options?: unknown): Promise<unknown> {
    return readFileSync(this.fd, options);
  }
  async writeFile(data: unknown, options?: unknown): Promise<void> {
    writeFileSync(this.fd, await readAllBytes(data), options);
  }
  async appendFile(data: unknown, options?: unknown): Promise<void> {
    appendFileSync(this.fd, await readAllBytes(data), options);
  }
  async stat(options?: { readonly bigint?: boolean }): Promise<Stats> {
    return descriptors.fstatSync(this.fd, options);
  }
  async truncate(size?: number): Promise<void> {
    descriptors.ftruncateSync(this.fd, size);
  }
  async chmod(mode: number): Promise<void> {
    descriptors.fchmodSync(this.fd, mode);
  }
  async utimes(atime: unknown, mtime: unknown): Promise<void> {
    descriptors.futimesSync(this.fd, atime, mtime);
  }
  async sync(): Promise<void> {
    descriptors.fsyncSync(this.fd);
  }
  async datasync(): Promise<void> {
    descriptors.fdatasyncSync(this.fd);
  }
  createReadStream(options: object = {}): unknown {
    return createReadStream('', { ...options, fd: this.fd });
  }
  createWriteStream(options: object = {}): unknown {
    return createWriteStream('', { ...options, fd: this.fd });
  }
  readableWebStream(): unknown {
    const stream = createReadStream('', { fd: this.fd, autoClose: false });
    return (Readable as unknown as { toWeb(of: unknown): unknown }).toWeb(stream);
  }
  readLines(options: object = {}): unknown {
    return new Interface(createReadStream('', { ...options, fd: this.fd }) as Readable);
  }
  async close(): Promise<void> {
    if (this.fd < 0) return;
    descriptors.closeSync(this.fd);
    this.fd = -1;
    this.emit('close');
  }
  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}
