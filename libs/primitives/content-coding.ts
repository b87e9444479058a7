// Decodes the body of a request by its `Content-Encoding` (RFC 9110, 8.4).
import { promisify } from 'node:util';
import {
  brotliDecompress,
  brotliDecompressSync,
  constants,
  gunzip,
  gunzipSync,
  inflate,
  inflateRaw,
  inflateRawSync,
  inflateSync,
  zstdDecompress,
  zstdDecompressSync,
} from 'node:zlib';

/** 8 MiB, the window that a decoder of HTTP bodies must take (RFC 9659). */
const zstdWindowLogMax = 23;
const zstdParams = { [constants.ZSTD_d_windowLogMax]: zstdWindowLogMax };

interface Bound {
  readonly maxOutputLength: number;
}

interface Coding {
  readonly decode: (bytes: Buffer, bound: Bound) => Buffer;
  /** The same on another thread. */
  readonly decodeAside: (bytes: Buffer, bound: Bound) => Promise<Buffer>;
}

const inflateAside = promisify(inflate);
const inflateRawAside = promisify(inflateRaw);
const zstdAside = promisify(zstdDecompress);

const gzip: Coding = { decode: gunzipSync, decodeAside: promisify(gunzip) };

/** Some clients leave out the header that RFC 9110, 8.4.1.2 asks for; its first byte ends in 8. */
const hasZlibHeader = (bytes: Buffer): boolean => ((bytes[0] ?? 0) & 0x0f) === 8;

const codings: ReadonlyMap<string, Coding> = new Map<string, Coding>([
  ['gzip', gzip],
  ['x-gzip', gzip],
  [
    'deflate',
    {
      decode: (bytes, bound) => (hasZlibHeader(bytes) ? inflateSync : inflateRawSync)(bytes, bound),
      decodeAside: (bytes, bound) => (hasZlibHeader(bytes) ? inflateAside : inflateRawAside)(bytes, bound),
    },
  ],
  ['br', { decode: brotliDecompressSync, decodeAside: promisify(brotliDecompress) }],
  [
    'zstd',
    {
      decode: (bytes, bound) => zstdDecompressSync(bytes, { ...bound, params: zstdParams }),
      decodeAside: (bytes, bound) => zstdAside(bytes, { ...bound, params: zstdParams }),
    },
  ],
]);

const codingOf = (contentEncoding: string | undefined): Coding | undefined =>
  contentEncoding === undefined ? undefined : codings.get(contentEncoding.trim().toLowerCase());

const isTooLarge = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE';

/**
 * The decoded bytes, or `too_large` if there are more than `bytesMax`, which bounds time and memory, too. Undefined: the
 * body stands for itself, since it has no encoding, several, or one that is unknown, or is not what its header says.
 */
export function decodedBody(
  contentEncoding: string | undefined,
  bytes: Buffer,
  bytesMax: number,
): Buffer | 'too_large' | undefined {
  try {
    return codingOf(contentEncoding)?.decode(bytes, { maxOutputLength: bytesMax });
  } catch (error) {
    return isTooLarge(error) ? 'too_large' : undefined;
  }
}

/** Whether `decodedBody` would be `too_large`, without holding up this thread. */
export async function isDecodedTooLarge(
  contentEncoding: string | undefined,
  bytes: Buffer,
  bytesMax: number,
): Promise<boolean> {
  try {
    await codingOf(contentEncoding)?.decodeAside(bytes, { maxOutputLength: bytesMax });
    return false;
  } catch (error) {
    return isTooLarge(error);
  }
}
