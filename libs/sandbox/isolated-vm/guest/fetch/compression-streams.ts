// CompressionStream and DecompressionStream: gathers all of the input, and outputs the result when it ends.
import { TransformStream } from 'web-streams-polyfill';
import type { ReadableStream, WritableStream } from 'web-streams-polyfill';
import { ask } from '../core/bridge.ts';
import { LimitError } from '../core/guest-limits.ts';
import { concatBytes, byteView } from './blob.ts';

/** The host's limit for one operation. */
const gatheredBytesMax = 32 * 1024 * 1024;

const compressors = { gzip: 'gzip', deflate: 'deflate', 'deflate-raw': 'deflateRaw', brotli: 'brotliCompress' };
const decompressors = { gzip: 'gunzip', deflate: 'inflate', 'deflate-raw': 'inflateRaw', brotli: 'brotliDecompress' };

function operationOf(format: unknown, operations: Readonly<Record<string, string>>): string {
  const name = Object.hasOwn(operations, String(format)) ? operations[String(format)] : undefined;
  if (name !== undefined) return name;
  throw Object.assign(new TypeError(`The argument 'format' must be one of: ${Object.keys(operations).join(', ')}`), {
    code: 'ERR_INVALID_ARG_VALUE',
  });
}

function runZlib(name: string, bytes: Uint8Array): Uint8Array {
  try {
    return new Uint8Array(ask('zlib', name, bytes.slice().buffer as ArrayBuffer, '{}', null) as ArrayBuffer);
  } catch (error) {
    throw Object.assign(new TypeError((error as Error).message), { code: (error as { code?: unknown }).code });
  }
}

class GatheringStream {
  readonly readable: ReadableStream<Uint8Array>;
  readonly writable: WritableStream<unknown>;

  constructor(name: string) {
    const parts: Uint8Array[] = [];
    let bytes = 0;
    const stream = new TransformStream<unknown, Uint8Array>({
      transform(chunk) {
        const part = byteView(chunk);
        if (part === undefined) throw new TypeError('A stream that is compressed must give bytes');
        bytes += part.length;
        if (bytes > gatheredBytesMax) throw new LimitError(`Compression takes at most ${gatheredBytesMax} bytes`);
        parts.push(part.slice());
      },
      flush: (controller) => controller.enqueue(runZlib(name, concatBytes(parts))),
    });
    this.readable = stream.readable;
    this.writable = stream.writable;
  }
}

export class CompressionStream extends GatheringStream {
  constructor(format: unknown) {
    super(operationOf(format, compressors));
  }
}

export class DecompressionStream extends GatheringStream {
  constructor(format: unknown) {
    super(operationOf(format, decompressors));
  }
}
