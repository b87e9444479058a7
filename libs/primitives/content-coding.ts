// Decodes the body of a request by its `Content-Encoding` (RFC 9110, 8.4).
import {
  brotliDecompressSync,
  constants,
  gunzipSync,
  inflateRawSync,
  inflateSync,
  zstdDecompressSync,
} from 'node:zlib';

/** 8 MiB, the window that a decoder of HTTP bodies must take (RFC 9659). */
const zstdWindowLogMax = 23;
const zstdParams = { [constants.ZSTD_d_windowLogMax]: zstdWindowLogMax };

type Decoder = (bytes: Buffer, options: { readonly maxOutputLength: number }) => Buffer;

/** Some clients leave out the header that RFC 9110, 8.4.1.2 asks for; its first byte ends in 8. */
const inflate: Decoder = (bytes, options) =>
  ((bytes[0] ?? 0) & 0x0f) === 8 ? inflateSync(bytes, options) : inflateRawSync(bytes, options);

const decoders: ReadonlyMap<string, Decoder> = new Map<string, Decoder>([
  ['gzip', gunzipSync],
  ['x-gzip', gunzipSync],
  ['deflate', inflate],
  ['br', brotliDecompressSync],
  ['zstd', (bytes, options) => zstdDecompressSync(bytes, { ...options, params: zstdParams })],
]);

/**
 * The decoded bytes, or `too_large` if there are more than `bytesMax`, which bounds time and memory, too. Undefined: the
 * body stands for itself, since it has no encoding, several, or one that is unknown, or is not what its header says.
 */
export function decodedBody(
  contentEncoding: string | undefined,
  bytes: Buffer,
  bytesMax: number,
): Buffer | 'too_large' | undefined {
  const decode = decoders.get(contentEncoding?.trim().toLowerCase() ?? '');
  if (decode === undefined) return undefined;
  try {
    return decode(bytes, { maxOutputLength: bytesMax });
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE' ? 'too_large' : undefined;
  }
}
