import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { decodedBody, isDecodedTooLarge } from './content-coding.ts';

const bytesMax = 512 * 1024;
const text = Buffer.from('{"ü":1}');
const frameOf128MiBWindow = Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0, 0x88, 9, 0, 0, 97]);
const oneMiB = Buffer.alloc(2 * bytesMax);

test.each([
  ['gzip', gzipSync],
  ['X-Gzip ', gzipSync],
  ['deflate', deflateSync],
  ['Deflate', deflateRawSync],
  ['br', brotliCompressSync],
  ['zstd', zstdCompressSync],
] as const)('a body in %s is decoded up to the size of a body, and is too large beyond it', async (name, encode) => {
  expect(decodedBody(name, encode(text), bytesMax)).toEqual(text);
  expect(decodedBody(name, encode(Buffer.alloc(0)), bytesMax)).toEqual(Buffer.alloc(0));
  const largest = oneMiB.subarray(0, bytesMax);
  expect(decodedBody(name, encode(largest), bytesMax)).toEqual(largest);
  expect(decodedBody(name, encode(oneMiB.subarray(0, bytesMax + 1)), bytesMax)).toBe('too_large');
  expect(decodedBody(name, encode(oneMiB), bytesMax)).toBe('too_large');
  expect(await isDecodedTooLarge(name, encode(largest), bytesMax)).toBe(false);
  expect(await isDecodedTooLarge(name, encode(oneMiB.subarray(0, bytesMax + 1)), bytesMax)).toBe(true);
});

test.each([
  [undefined, text],
  ['', text],
  ['identity', text],
  ['snappy', gzipSync(text)],
  ['__proto__', text],
  ['gzip, gzip', gzipSync(gzipSync(text))],
  ['gzip', text],
  ['gzip', Buffer.alloc(0)],
  ['gzip', gzipSync(text).subarray(0, -9)],
  ['br', gzipSync(text)],
  ['zstd', Buffer.alloc(100, 255)],
  ['zstd', frameOf128MiBWindow],
] as const)('a body that says %j stands for itself if that cannot be decoded', async (name, bytes) => {
  expect(decodedBody(name, bytes, bytesMax)).toBeUndefined();
  expect(await isDecodedTooLarge(name, bytes, bytesMax)).toBe(false);
});
