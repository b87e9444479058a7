// Zstandard for kafkajs from Node's own zlib: no native codec to install.
import { promisify } from 'node:util';
import { constants, zstdCompress, zstdCompressSync, zstdDecompress, zstdDecompressSync } from 'node:zlib';
import { limits } from '../../kafka-limits.ts';

const compress = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);
/** The fastest level: JSON of events shrinks to a quarter at any level. */
const params = { [constants.ZSTD_c_compressionLevel]: 1 };

interface Codec {
  compress(encoder: { readonly buffer: Buffer }): Promise<Buffer>;
  decompress(buffer: Buffer): Promise<Buffer>;
}

const isSmall = (buffer: Buffer): boolean => buffer.length <= limits.zstdSyncBytes;
/** One buffer for the whole result, which is hardly ever larger than the input. */
const chunkSizeOf = (buffer: Buffer): number => Math.max(constants.Z_MIN_CHUNK, buffer.length + 512);

/** kafkajs calls this for each batch. */
export const zstd = (): Codec => ({
  compress: async ({ buffer }) =>
    isSmall(buffer)
      ? zstdCompressSync(buffer, { params, chunkSize: chunkSizeOf(buffer) })
      : compress(buffer, { params }),
  decompress: async (buffer) => (isSmall(buffer) ? zstdDecompressSync(buffer) : decompress(buffer)),
});
