// What undoes the encoding of an answer's body, holding little of it at a time.
import { pipeline } from 'node:stream';
import type { Readable, Transform } from 'node:stream';
import { constants, createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';

/** What is held of one body that nobody asks for: what has come and what its decoder has made of it. */
export const heldBytesMax = 64 * 1024;
/** Servers that compress twice exist by mistake. */
const encodingsMax = 2;

/** What ends early is what there is of it, as everywhere on the web. */
const zlib = { chunkSize: heldBytesMax, finishFlush: constants.Z_SYNC_FLUSH };
const brotli = { chunkSize: heldBytesMax, finishFlush: constants.BROTLI_OPERATION_FLUSH };

const decoders = new Map<string, () => Transform>([
  ['gzip', () => createGunzip(zlib)],
  ['x-gzip', () => createGunzip(zlib)],
  ['deflate', () => createInflate(zlib)],
  ['br', () => createBrotliDecompress(brotli)],
]);

/** The decoders of a `content-encoding`, in the order in which they are needed; undefined when one is not known. */
function decodersOf(encoding: string): readonly Transform[] | undefined {
  const names = encoding
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && name !== 'identity');
  const makers = names.map((name) => decoders.get(name));
  if (makers.length > encodingsMax || makers.some((make) => make === undefined)) return undefined;
  return makers.reverse().flatMap((make) => (make === undefined ? [] : [make()]));
}

/** The decoded body, and whether anything was there to decode; what is encoded otherwise stays as it is. */
export function decoded(body: Readable, encoding: string | undefined): { stream: Readable; wasEncoded: boolean } {
  const steps = encoding === undefined ? [] : decodersOf(encoding);
  const last = steps?.at(-1);
  if (steps === undefined || last === undefined) return { stream: body, wasEncoded: false };
  // An error of any of them is the last one's, and ends them all.
  pipeline([body, ...steps], () => {});
  return { stream: last, wasEncoded: true };
}
