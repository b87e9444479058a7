// Zstandard for kafkajs from Node's own zlib: no native codec to install.
import { promisify } from 'node:util';
import { constants, zstdCompress, zstdDecompress } from 'node:zlib';

const compress = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);
/** The fastest: JSON of events shrinks to a quarter at any level. */
const params = { [constants.ZSTD_c_compressionLevel]: 1 };

interface Codec {
  compress(encoder: { readonly buffer: Buffer }): Promise<Buffer>;
  decompress(buffer: Buffer): Promise<Buffer>;
}

/** Made anew for each batch by kafkajs. */
export const zstd = (): Codec => ({
  compress: ({ buffer }) => compress(buffer, { params }),
  decompress: (buffer) => decompress(buffer),
});
