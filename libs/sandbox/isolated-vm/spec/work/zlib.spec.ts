// zlib has the same results in components as in Node, and never delays other components.
import { zstdCompressSync } from 'node:zlib';
import { IsolatedVmSandbox } from '../../isolated-vm-sandbox.ts';
import { cacheDir, invoke, source } from '../harness.ts';
import { inComponent, inNode } from './as-node.ts';

let sandbox: IsolatedVmSandbox;
beforeAll(
  async () => (sandbox = await IsolatedVmSandbox.start({ runners: 1, cacheDir, limits: { cpuMs: 2_000 } })),
  30_000,
);
afterAll(() => sandbox?.close());

const kinds = `const zlib = require('node:zlib'); const { promisify } = require('util');
  const pairs = [['gzip', 'gunzip'], ['deflate', 'inflate'], ['deflateRaw', 'inflateRaw'], ['gzip', 'unzip'], ['brotliCompress', 'brotliDecompress'], ['zstdCompress', 'zstdDecompress']];
  const text = 'zlib \\u20ac '.repeat(5000);`;

test.each([
  [
    'without a callback',
    `return pairs.map(([make, take]) => { const bytes = zlib[make + 'Sync'](text); return [bytes.length, zlib[take + 'Sync'](bytes).toString() === text]; });`,
  ],
  [
    'promisified',
    `return Promise.all(pairs.map(async ([make, take]) => String(await promisify(zlib[take])(await promisify(zlib[make])(text))) === text));`,
  ],
  [
    'with options',
    `return [zlib.gzipSync(text, { level: 1 }).length, zlib.gzipSync(text, { level: 9, memLevel: 9, windowBits: 9 }).length,
      zlib.deflateSync(text, { strategy: zlib.constants.Z_HUFFMAN_ONLY }).length, zlib.brotliCompressSync(text, { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 1 } }).length,
      zlib.inflateSync(zlib.deflateSync('abc', { dictionary: Buffer.from('xabcx') }), { dictionary: Buffer.from('xabcx') }).toString(),
      zlib.gunzipSync(zlib.gzipSync(text).subarray(0, -10), { finishFlush: zlib.constants.Z_SYNC_FLUSH }).length];`,
  ],
  [
    'of what is none, or too much',
    `return Promise.all([() => zlib.gunzipSync('text'), () => zlib.inflateSync(Buffer.alloc(0)), () => zlib.gunzipSync(zlib.gzipSync(text), { maxOutputLength: 10 }),
      () => zlib.gzipSync(5), () => zlib.gzipSync(text, { level: 77 }), () => promisify(zlib.gunzip)('text'), () => zlib.gzip(text), () => zlib.brotliDecompressSync('x')].map(tried));`,
  ],
  [
    'by constructors that are called as functions',
    `const { inherits } = require('util'); function Mine(options) { zlib.Inflate.call(this, options); } inherits(Mine, zlib.Inflate); const mine = new Mine(); const parts = []; mine.on('data', (part) => parts.push(part)); mine.end(zlib.deflateSync(text));
    await new Promise((done) => mine.on('end', done)); return [Buffer.concat(parts).toString() === text, mine instanceof zlib.Inflate, zlib.Gzip() instanceof zlib.Gzip, zlib.Gzip.name, new (class extends zlib.Gunzip {})() instanceof zlib.Gunzip];`,
  ],
  [
    'as streams',
    `const { Readable, pipeline } = require('stream'); const parts = []; const unpacked = zlib.createGunzip(); unpacked.on('data', (part) => parts.push(part));
      const packing = new zlib.Gzip({ level: 5 });
      await promisify(pipeline)(Readable.from([text, Buffer.from(text)]), packing, unpacked);
      const bad = await new Promise((done) => { const s = zlib.createInflate(); s.on('error', (e) => done([e.code, e.errno, e.message])); s.end('text'); });
      return [Buffer.concat(parts).toString() === text + text, packing.bytesWritten, bad, zlib.createGzip() instanceof zlib.Gzip];`,
  ],
  [
    'in its numbers',
    `return [zlib.crc32('hello'), zlib.crc32('world', zlib.crc32('hello ')), zlib.constants.BROTLI_PARAM_QUALITY, zlib.constants.Z_BEST_COMPRESSION, zlib.codes.Z_DATA_ERROR, zlib.codes['-3'], zlib.Z_FINISH];`,
  ],
])(
  '%s',
  async (_name, body) => {
    expect(await inComponent(sandbox, kinds + body)).toEqual(await inNode(kinds + body));
  },
  30_000,
);

const zstdBomb = zstdCompressSync(Buffer.alloc(40 * 1024 * 1024)).toString('base64');

test('a decompression bomb ends at a bound, and slow operations are refused before they begin', async () => {
  const body = `const zlib = require('zlib'); const pause = () => new Promise((done) => setTimeout(done, 1)); const told = [];
    const part = zlib.gzipSync(Buffer.alloc(8 * 1024 * 1024)); const bomb = Buffer.concat([part, part, part, part, part]);
    for (const call of [() => zlib.gunzipSync(bomb), () => zlib.gunzipSync(bomb, { maxOutputLength: 2 ** 31 }), () => zlib.gzipSync(new Uint8Array(8 * 1024 * 1024 + 1)),
      () => zlib.brotliCompressSync(new Uint8Array(512 * 1024 + 1)), () => zlib.zstdDecompressSync(Buffer.from('${zstdBomb}', 'base64'))]) { await pause(); told.push(await tried(call)); }
    return told;`;
  expect(await inComponent(sandbox, body)).toEqual([
    ['RangeError', 'ERR_BUFFER_TOO_LARGE'],
    ['RangeError', 'ERR_BUFFER_TOO_LARGE'],
    ['RangeError', 'ERR_OUT_OF_RANGE'],
    ['RangeError', 'ERR_OUT_OF_RANGE'],
    ['RangeError', 'ERR_BUFFER_TOO_LARGE'],
  ]);
}, 30_000);

test('it counts as processor time, and neighbours continue meanwhile', async () => {
  const noise = `const bytes = require('crypto').randomBytes(300_000); const zlib = require('zlib');`;
  const busy = invoke(
    sandbox,
    source(`${noise} for (;;) { zlib.brotliCompressSync(bytes); await new Promise((done) => setTimeout(done, 1)); }`),
    {
      sourceId: 'dc_busy',
    },
  );
  let isOver = false;
  void busy.then(() => (isOver = true));
  const took: number[] = [];
  while (!isOver) {
    const from = performance.now();
    expect((await invoke(sandbox, source('this.$emit(1)'), { sourceId: 'dc_quick' })).end).toBe('finished');
    took.push(performance.now() - from);
  }
  expect(await busy).toMatchObject({ end: 'timed_out', error: { message: expect.stringContaining('processor time') } });
  expect(took.length).toBeGreaterThan(10);
}, 60_000);

test('reads at once by the handle of a stream, as packages for images do', async () => {
  const body = `const zlib = require('zlib'); const input = zlib.deflateSync('image '.repeat(5000)); const stream = new zlib.Inflate({ chunkSize: 1000 }); const parts = [];
    for (let [from, length, room] = [0, input.length, 0]; room === 0; ) {
      const [left, free] = stream._handle.writeSync(4, input, from, length, stream._outBuffer, 0, stream._chunkSize);
      parts.push(Buffer.from(stream._outBuffer.subarray(0, stream._chunkSize - free)));
      [from, length, room] = [from + length - left, left, free];
    }
    stream._handle.close(); return Buffer.concat(parts).toString() === 'image '.repeat(5000);`;
  expect(await inComponent(sandbox, body)).toBe(true);
});
