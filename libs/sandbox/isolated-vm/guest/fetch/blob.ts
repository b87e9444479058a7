// The web's Blob and File: immutable bytes with a type.
import { ReadableStream } from 'web-streams-polyfill';
import { TextDecoder, TextEncoder } from '../encoding/text-encoding.ts';

export function concatBytes(parts: readonly Uint8Array[]): Uint8Array {
  const [only] = parts;
  if (only !== undefined && parts.length === 1) return only;
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

/** A view of exactly the value's bytes; undefined if it is no buffer or view. */
export function byteView(value: unknown): Uint8Array | undefined {
  if (value instanceof ArrayBuffer) return new Uint8Array(value);
  if (!ArrayBuffer.isView(value)) return undefined;
  return new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
}

export interface BlobOptions {
  readonly type?: unknown;
}

export class Blob {
  readonly type: string;
  readonly #bytes: Uint8Array;

  constructor(parts: Iterable<unknown> = [], options: BlobOptions = {}) {
    const encoder = new TextEncoder();
    this.type = String(options?.type ?? '').toLowerCase();
    this.#bytes = new Uint8Array(
      concatBytes(
        [...parts].map((part) =>
          part instanceof Blob ? part.#bytes : (byteView(part) ?? encoder.encode(String(part))),
        ),
      ),
    );
  }
  static bytesOf(blob: Blob): Uint8Array {
    return blob.#bytes;
  }
  get size(): number {
    return this.#bytes.length;
  }
  async bytes(): Promise<Uint8Array> {
    return this.#bytes.slice();
  }
  async arrayBuffer(): Promise<ArrayBuffer> {
    return this.#bytes.slice().buffer as ArrayBuffer;
  }
  async text(): Promise<string> {
    return new TextDecoder().decode(this.#bytes);
  }
  slice(start?: number, end?: number, type = ''): Blob {
    return new Blob([this.#bytes.subarray(start, end)], { type });
  }
  stream(): ReadableStream<Uint8Array> {
    const bytes = this.#bytes;
    return new ReadableStream<Uint8Array>({
      start(controller) {
        if (bytes.length > 0) controller.enqueue(bytes.slice());
        controller.close();
      },
    });
  }
  get [Symbol.toStringTag](): string {
    return 'Blob';
  }
}

export class File extends Blob {
  readonly name: string;
  readonly lastModified: number;

  constructor(parts: Iterable<unknown>, name: unknown, options: BlobOptions & { readonly lastModified?: number } = {}) {
    super(parts, options);
    this.name = String(name);
    this.lastModified = options.lastModified ?? Date.now();
  }
  override get [Symbol.toStringTag](): string {
    return 'File';
  }
}
