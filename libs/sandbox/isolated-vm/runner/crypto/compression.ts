// Compresses and decompresses for components, on the threads of slow cryptography, with limits of input and output.
import zlib from 'node:zlib';
import { bytesOf, dataBytesMax, checkRange } from './costs.ts';

/** Each limit takes less than a second, the longest turn of a component; deflate does 10 MB or more in that time. */
const deflateBytesMax = 8 * 1024 * 1024;
/** Brotli at its best level, the default, does less than 1 MB in a second. */
const bestBrotliBytesMax = 512 * 1024;
const brotliBytesMax = 4 * 1024 * 1024;
const bestBrotliFrom = 10;
/** The largest output of any operation: a decompression bomb ends there. */
const outputBytesMax = dataBytesMax;

/** Options that are numbers and that Node itself checks; without those that only set the size of buffers. */
const numberOptions = ['level', 'windowBits', 'memLevel', 'strategy', 'flush', 'finishFlush'] as const;
const { BROTLI_PARAM_MODE: mode, BROTLI_PARAM_QUALITY: quality, BROTLI_PARAM_LGWIN: window } = zlib.constants;

type Options = Readonly<Record<string, unknown>>;
type ZlibFunction = (bytes: Buffer, options: zlib.ZlibOptions & zlib.BrotliOptions) => Uint8Array;

const { ZSTD_d_windowLogMax: windowMax } = zlib.constants;
/** 32 MiB, the largest output; a larger window would need as much memory. */
const zstdWindow = { [windowMax]: 25 };

const decompressZstd: ZlibFunction = (bytes, { maxOutputLength = outputBytesMax }) =>
  zlib.zstdDecompressSync(bytes, { maxOutputLength, params: zstdWindow });

const compressors: ReadonlyMap<string, ZlibFunction> = new Map<string, ZlibFunction>([
  ['gzip', zlib.gzipSync],
  ['deflate', zlib.deflateSync],
  ['deflateRaw', zlib.deflateRawSync],
  ['brotliCompress', zlib.brotliCompressSync],
  // With the default level: Zstandard's parameters are ignored, because some take seconds.
  [
    'zstdCompress',
    (bytes, { maxOutputLength }) =>
      zlib.zstdCompressSync(bytes, { maxOutputLength: maxOutputLength ?? outputBytesMax }),
  ],
]);
const decompressors: ReadonlyMap<string, ZlibFunction> = new Map<string, ZlibFunction>([
  ['gunzip', zlib.gunzipSync],
  ['inflate', zlib.inflateSync],
  ['inflateRaw', zlib.inflateRawSync],
  ['unzip', zlib.unzipSync],
  ['brotliDecompress', zlib.brotliDecompressSync],
  ['zstdDecompress', decompressZstd],
]);

const isNumber = (value: unknown): value is number => typeof value === 'number';

/** The requested options without unknown names. */
function optionsOf(requested: Options, dictionary: ArrayBuffer | null): zlib.ZlibOptions & zlib.BrotliOptions {
  const numbers = numberOptions.flatMap((name) => (isNumber(requested[name]) ? [[name, requested[name]]] : []));
  const requestedOutputMax = isNumber(requested['maxOutputLength']) ? requested['maxOutputLength'] : outputBytesMax;
  const params = Object.entries((requested['params'] ?? {}) as Options).flatMap(([name, value]) =>
    [mode, quality, window].includes(Number(name)) && isNumber(value) ? [[name, value]] : [],
  );
  return {
    ...(Object.fromEntries(numbers) as zlib.ZlibOptions),
    maxOutputLength: Math.min(requestedOutputMax, outputBytesMax),
    ...(params.length === 0 ? {} : { params: Object.fromEntries(params) as Record<number, number> }),
    ...(dictionary === null ? {} : { dictionary: Buffer.from(dictionary) }),
  };
}

function checkCompression(name: string, bytes: number, { params = {} }: zlib.BrotliOptions): void {
  if (name !== 'brotliCompress') return checkRange(`The bytes for ${name}`, bytes, deflateBytesMax);
  const isBest = Number(params[quality] ?? zlib.constants.BROTLI_DEFAULT_QUALITY) >= bestBrotliFrom;
  checkRange(`The bytes for ${name} of this quality`, bytes, isBest ? bestBrotliBytesMax : brotliBytesMax);
}

/** Node itself limits the output of decompression. */
export function runZlib(
  name: string,
  bytes: ArrayBuffer,
  optionsText: string,
  dictionary: ArrayBuffer | null,
): ArrayBuffer {
  const options = optionsOf(JSON.parse(optionsText) as Options, dictionary);
  const compress = compressors.get(name);
  const zlibFunction = compress ?? decompressors.get(name);
  if (zlibFunction === undefined) throw new Error('This compression is not known');
  if (compress !== undefined) checkCompression(name, bytesOf([bytes]), options);
  return new Uint8Array(zlibFunction(Buffer.from(bytes), options)).buffer;
}

export const crc32 = (bytes: ArrayBuffer, initial: number): number => zlib.crc32(Buffer.from(bytes), initial);
