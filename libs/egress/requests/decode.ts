// Decodes a response body, holding little of it at a time.
import { pipeline } from 'node:stream';
import type { Readable, Transform } from 'node:stream';
import { constants, createBrotliDecompress, createGunzip, createInflate, Inflate } from 'node:zlib';

/** Bytes held of a body while it is not read, as received and as decoded. */
export const bufferedBytesMax = 64 * 1024;

/** A body that ends early is decoded as far as it goes, as browsers do. */
const zlib = { chunkSize: bufferedBytesMax, finishFlush: constants.Z_SYNC_FLUSH };
const brotli = { chunkSize: bufferedBytesMax, finishFlush: constants.BROTLI_OPERATION_FLUSH };

/**
 * `deflate` means zlib's format, but some servers send only the deflate data inside it (RFC 9112, 7.2). This head makes
 * it zlib's format, except for the checksum at the end.
 */
const zlibHead = Buffer.from([0x78, 0x9c]);
const hasZlibHead = (chunk: Buffer): boolean => ((chunk[0] ?? 0) & 0x0f) === 0x08;

const decoders = new Map<string, () => Transform>([
  ['gzip', () => createGunzip(zlib)],
  ['x-gzip', () => createGunzip(zlib)],
  ['deflate', () => createInflate(zlib)],
  ['br', () => createBrotliDecompress(brotli)],
]);

/**
 * Undefined for an unknown encoding and for several: servers encode twice by mistake, or to hide a decompression bomb.
 */
function decoderOf(encoding: string): Transform | undefined {
  const [name, ...others] = encoding
    .toLowerCase()
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '' && part !== 'identity');
  return name === undefined || others.length > 0 ? undefined : decoders.get(name)?.();
}

/**
 * Returns the decoded body, and whether it was encoded; a body in an unknown encoding is not changed. `count` is
 * called with the number of bytes passed to a decoder, and throws when there are too many.
 */
export function decodeBody(
  body: Readable,
  encoding: string | undefined,
  count: (bytes: number) => void,
): { stream: Readable; wasEncoded: boolean } {
  const decoder = encoding === undefined ? undefined : decoderOf(encoding);
  if (decoder === undefined) return { stream: body, wasEncoded: false };
  let needsHead = decoder instanceof Inflate;
  const countedBody = async function* (chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of chunks) {
      count(chunk.length);
      if (needsHead && !hasZlibHead(chunk)) yield zlibHead;
      needsHead = false;
      yield chunk;
    }
  };
  // An error in any stream ends them all and shows up on the last one.
  pipeline(body, countedBody, decoder, () => {});
  return { stream: decoder, wasEncoded: true };
}
