// What undoes the encoding of an answer's body, holding little of it at a time.
import { pipeline } from 'node:stream';
import type { Readable, Transform } from 'node:stream';
import { constants, createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';

/** What is held of one body that nobody asks for: what has come and what its decoder has made of it. */
export const heldBytesMax = 64 * 1024;

/** What ends early is what there is of it, as everywhere on the web. */
const zlib = { chunkSize: heldBytesMax, finishFlush: constants.Z_SYNC_FLUSH };
const brotli = { chunkSize: heldBytesMax, finishFlush: constants.BROTLI_OPERATION_FLUSH };

const decoders = new Map<string, () => Transform>([
  ['gzip', () => createGunzip(zlib)],
  ['x-gzip', () => createGunzip(zlib)],
  ['deflate', () => createInflate(zlib)],
  ['br', () => createBrotliDecompress(brotli)],
]);

/** Undefined where it is not known, or not the only one: servers that encode twice do so by mistake, or to hide a bomb. */
function decoderOf(encoding: string): Transform | undefined {
  const [name, ...others] = encoding
    .toLowerCase()
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '' && part !== 'identity');
  return name === undefined || others.length > 0 ? undefined : decoders.get(name)?.();
}

/**
 * The decoded body, and whether anything was there to decode; what is encoded otherwise stays as it is. `count` is told
 * of the bytes that are given to a decoder, and throws where they are too many.
 */
export function decoded(
  body: Readable,
  encoding: string | undefined,
  count: (bytes: number) => void,
): { stream: Readable; wasEncoded: boolean } {
  const decoder = encoding === undefined ? undefined : decoderOf(encoding);
  if (decoder === undefined) return { stream: body, wasEncoded: false };
  const counted = async function* (chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of chunks) {
      count(chunk.length);
      yield chunk;
    }
  };
  // An error of any of them is the last one's, and ends them all.
  pipeline(body, counted, decoder, () => {});
  return { stream: decoder, wasEncoded: true };
}
