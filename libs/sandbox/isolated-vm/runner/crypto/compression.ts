// Compresses and decompresses for components, on the threads of slow cryptography, with limits of input and output.
import zlib from 'node:zlib';
import { bytesOf, dataBytesMax, within } from './costs.ts';

/** Each limit takes less than a second, the longest turn of a component; deflate does 10 MB or more in that time. */
const deflateBytesMax = 8 * 1024 * 1024;
/** Brotli at its best level, the default, does less than 1 MB in a second. */
const bestBrotliBytesMax = 512 * 1024;
const brotliBytesMax = 4 * 1024 * 1024;
const bestBrotliFrom = 10;
/** The largest output of any operation: a decompression bomb ends there. */
const outputBytesMax = dataBytesMax;

/** Options that are numbers and that Node itself checks; without those that only set the size of buffers. */
const passed = ['level', 'windowBits', 'memLevel', 'strategy', 'flush', 'finishFlush'] as const;
const { BROTLI_PARAM_MODE: mode, BROTLI_PARAM_QUALITY: quality, BROTLI_PARAM_LGWIN: window } = zlib.constants;

type Options = Readonly<Record<string, unknown>>;
type Work = (bytes: Buffer, options: zlib.ZlibOptions & zlib.BrotliOptions) => Uint8Array;

const { ZSTD_d_windowLogMax: windowMax } = zlib.constants;
/** 32 MiB, the largest output; a larger window would need as much memory. */
const zstdWindow = { [windowMax]: 25 };

const unpackedZstd: Work = (bytes, { maxOutputLength = outputBytesMax }) =>
  zlib.zstdDecompressSync(bytes, { maxOutputLength, params: zstdWindow });

const compressing: ReadonlyMap<string, Work> = new Map<string, Work>([
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
const decompressing: ReadonlyMap<string, Work> = new Map<string, Work>([
  ['gunzip', zlib.gunzipSync],
  ['inflate', zlib.inflateSync],
  ['inflateRaw', zlib.inflateRawSync],
  ['unzip', zlib.unzipSync],
  ['brotliDecompress', zlib.brotliDecompressSync],
  ['zstdDecompress', unpackedZstd],
]);

const isNumber = (value: unknown): value is number => typeof value === 'number';

/** The requested options without unknown names. */
function optionsOf(asked: Options, dictionary: ArrayBuffer | null): zlib.ZlibOptions & zlib.BrotliOptions {
  const numbers = passed.flatMap((name) => (isNumber(asked[name]) ? [[name, asked[name]]] : []));
  const most = isNumber(asked['maxOutputLength']) ? asked['maxOutputLength'] : outputBytesMax;
  const params = Object.entries((asked['params'] ?? {}) as Options).flatMap(([name, value]) =>
    [mode, quality, window].includes(Number(name)) && isNumber(value) ? [[name, value]] : [],
  );
  return {
    ...(Object.fromEntries(numbers) as zlib.ZlibOptions),
    maxOutputLength: Math.min(most, outputBytesMax),
    ...(params.length === 0 ? {} : { params: Object.fromEntries(params) as Record<number, number> }),
    ...(dictionary === null ? {} : { dictionary: Buffer.from(dictionary) }),
  };
}

function checkCompression(name: string, bytes: number, { params = {} }: zlib.BrotliOptions): void {
  if (name !== 'brotliCompress') return within(`The bytes for ${name}`, bytes, deflateBytesMax);
  const best = Number(params[quality] ?? zlib.constants.BROTLI_DEFAULT_QUALITY) >= bestBrotliFrom;
  within(`The bytes for ${name} of this quality`, bytes, best ? bestBrotliBytesMax : brotliBytesMax);
}

/** Node itself limits the output of decompression. */
export function compressed(
  name: string,
  bytes: ArrayBuffer,
  optionsText: string,
  dictionary: ArrayBuffer | null,
): ArrayBuffer {
  const options = optionsOf(JSON.parse(optionsText) as Options, dictionary);
  const compress = compressing.get(name);
  const work = compress ?? decompressing.get(name);
  if (work === undefined) throw new Error('This compression is not known');
  if (compress !== undefined) checkCompression(name, bytesOf([bytes]), options);
  return new Uint8Array(work(Buffer.from(bytes), options)).buffer;
}

export const crc32 = (bytes: ArrayBuffer, before: number): number => zlib.crc32(Buffer.from(bytes), before);
