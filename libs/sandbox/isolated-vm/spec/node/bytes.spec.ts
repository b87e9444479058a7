// Buffers and text decoders have the same results and errors as in Node.
import { IsolatedVmSandbox } from '../../isolated-vm-sandbox.ts';
import { cacheDir } from '../harness.ts';
import { inComponent, inNode } from '../work/as-node.ts';

let sandbox: IsolatedVmSandbox;
beforeAll(async () => {
  sandbox = await IsolatedVmSandbox.start({ runners: 1, cacheDir });
});
afterAll(() => sandbox.close());

it.each([
  [
    'bytes that are no Buffer',
    `const abcd = Buffer.from('abcd'); const into = new Uint8Array(9); const empty = Buffer.alloc(0);
    return [abcd.equals(new Uint8Array([97, 98, 99, 100])), abcd.equals(new Uint8Array(1)), abcd.copy(into, 7, 1, 3), shown(into), abcd.compare(new Uint8Array([97])), shown(Buffer.copyBytesFrom(new Uint16Array([1, 2, 3]), 1, 1)), await tried(() => abcd.equals('abcd')), await tried(() => Buffer.copyBytesFrom('x')),
      ...['indexOf', 'lastIndexOf', 'includes'].flatMap((name) => [[''], ['', 2], ['', 9], ['', -1], [empty, 3], ['', 'utf8'], ['c'], ['c', -1], ['c', 0, 'utf16le']].map((args) => abcd[name](...args)))];`,
  ],
  [
    'wrong arguments, by code',
    `const b = Buffer.from('abcdefgh'); const results = [];
    for (const call of [() => Buffer.from('a', 'nope'), () => Buffer.from(5), () => Buffer.from(null), () => Buffer.from({}), () => Buffer.from(new ArrayBuffer(4), 5), () => Buffer.from(new ArrayBuffer(4), 1, 9), () => Buffer.alloc(-1), () => Buffer.alloc('5'), () => Buffer.concat('a'), () => Buffer.concat(['a']), () => Buffer.byteLength(5), () => Buffer.compare('a', 'b'),
      () => b.toString('nope'), () => b.toString(null), () => b.fill('a', 1, 99), () => b.fill('zz', 'hex'), () => b.indexOf({}), () => b.write(5), () => b.write('x', 99), () => b.copy(b, -1), () => b.compare('x'), () => Buffer.alloc(3).swap16(),
      () => b.readUInt8(8), () => b.readUInt8(1.5), () => b.readUInt8('1'), () => b.readUInt8(-1), () => b.readUInt8(), () => b.readUIntBE(0, 7), () => b.readUIntBE(0, 6), () => b.readUIntBE(0), () => b.readIntLE(6, 3), () => b.readInt32LE(5), () => b.readDoubleBE(1), () => b.readFloatLE(2), () => b.readBigInt64LE(1).toString(),
      () => Buffer.alloc(4).writeUInt8(256), () => Buffer.alloc(4).writeInt16LE(1, 3), () => Buffer.alloc(4).writeUInt32BE(2 ** 32), () => Buffer.alloc(4).writeUIntLE(1, 0, 9), () => Buffer.alloc(4).writeUIntLE(258, 1, 3), () => Buffer.alloc(8).writeBigInt64BE(2n ** 63n), () => Buffer.alloc(4).writeUInt8(1, 'x')]) results.push(await tried(call));
    return results;`,
  ],
  [
    'short names and functions',
    `const buffer = require('buffer'); const b = Buffer.from('héllo wörld'); const w = Buffer.alloc(12, 46);
    return ['TYPED_ARRAY_SUPPORT' in Buffer, shown(Buffer.of(1, 256)), ['ascii', 'base64', 'base64url', 'hex', 'latin1', 'ucs2', 'utf8'].map((name) => [b[name + 'Slice'](), b[name + 'Slice'](1, 5), w[name + 'Write']('YWJj', 2), w[name + 'Write']('6162', 1, 2), w.toString('hex')]),
      b.readBigUint64LE(1).toString(), w.writeBigUint64BE(5n, 1), b.readBigUint64BE().toString(), buffer.isUtf8(b), buffer.isUtf8(Buffer.from([255])), buffer.isAscii(b), buffer.isAscii(Buffer.from('a')), await tried(() => buffer.isUtf8('a')),
      ...[['utf8', 'latin1'], ['utf8', 'ascii'], ['utf8', 'utf16le'], ['latin1', 'utf8']].map(([from, to]) => shown(buffer.transcode(Buffer.from('é€a'), from, to)))];`,
  ],
  [
    'texts in pieces',
    `const { StringDecoder } = require('string_decoder'); const pieces = ['a', 'bcde', 'é€💩'].map((text) => Buffer.from(text)); const results = [];
    for (const encoding of ['base64url', 'base64', 'utf8', 'utf16le', 'hex', 'latin1', undefined]) { const decoder = new StringDecoder(encoding); results.push([...pieces.map((piece) => decoder.write(piece)), decoder.end()]); }
    for (const label of ['utf-8', 'utf-16le']) { const text = label === 'utf-8' ? Buffer.from('a💩é') : Buffer.from('a💩é', 'utf16le'); const decoder = new TextDecoder(label); results.push([...[...text].map((byte) => decoder.decode(new Uint8Array([byte]), { stream: true })), decoder.decode()].join('')); }
    return [results, new TextDecoder('utf-16le').decode(new Uint8Array([0x3d, 0xd8])), await tried(() => new StringDecoder('nope')), await tried(() => new TextDecoder('x'.repeat(100_000)))];`,
  ],
])('%s', async (_name, body) => {
  expect(await inComponent(sandbox, body)).toEqual(await inNode(body));
});
