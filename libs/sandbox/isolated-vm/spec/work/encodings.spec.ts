// Texts and bodies in the web's encodings are read and written as in Node.
import { IsolatedVmSandbox } from '../../isolated-vm-sandbox.ts';
import { cacheDir } from '../harness.ts';
import { inComponent, inNode } from './as-node.ts';

let sandbox: IsolatedVmSandbox;
beforeAll(async () => {
  sandbox = await IsolatedVmSandbox.start({ runners: 1, cacheDir });
});
afterAll(() => sandbox.close());

const setup = `const bytes = (hex) => Uint8Array.from(Buffer.from(hex, 'hex'));
  const through = async (text, ...streams) => { let stream = new Blob([text]).stream(); for (const one of streams) stream = stream.pipeThrough(one); return Buffer.from(await new Response(stream).arrayBuffer()); };\n`;

it.each([
  [
    'texts in other encodings',
    `return [['shift_jis', '82a0'], ['gbk', 'c4e3'], ['euc-kr', 'b0a1'], ['big5', 'a440'], ['windows-1251', 'cff0'], ['iso-8859-2', 'b1'], ['koi8-r', 'c1'], ['utf-16be', '00e9'], ['macintosh', '8a'], ['gb18030', '81308130'], ['CP1252', '80']]
    .map(([label, hex]) => [new TextDecoder(label).encoding, new TextDecoder(label).decode(bytes(hex))]);`,
  ],
  [
    'a label that there is not',
    `return [await tried(() => new TextDecoder('no such')), await tried(() => new TextDecoder('x'.repeat(1_000)))];`,
  ],
  [
    'bytes that are wrong',
    `return [new TextDecoder('shift_jis').decode(bytes('82')), await tried(() => new TextDecoder('gbk', { fatal: true }).decode(bytes('ff')))];`,
  ],
  [
    'a character in two parts',
    `const decoder = new TextDecoder('shift_jis'); const parts = [decoder.decode(bytes('4182'), { stream: true }), decoder.decode(bytes('a0'), { stream: true }), decoder.decode()]; return parts.join('');`,
  ],
  [
    'a stream of another encoding',
    `return await new Response(new Blob([bytes('82'), bytes('a0')]).stream().pipeThrough(new TextDecoderStream('shift_jis')).pipeThrough(new TextEncoderStream())).text();`,
  ],
  [
    'streams that compress',
    `const text = 'again and again '.repeat(500); const sizes = [];
    for (const format of ['gzip', 'deflate', 'deflate-raw']) { const packed = await through(text, new CompressionStream(format)); sizes.push(packed.length, String(await through(packed, new DecompressionStream(format))) === text); } return sizes;`,
  ],
  [
    'what is not compressed',
    `return await through('text', new DecompressionStream('gzip')).then(() => 'read', (error) => error.name);`,
  ],
  [
    'a form that is read again',
    `const form = new FormData(); form.append('a', 'é'); form.append('a', '2'); form.append('file', new File(['content'], 'f.txt', { type: 'text/csv' }));
    const read = await new Response(form).formData(); const file = read.get('file'); return [read.getAll('a'), file.name, file.type, await file.text()];`,
  ],
  [
    'a form after an empty line',
    `const text = '\\r\\n--b\\r\\nContent-Disposition: form-data; name="a"\\r\\n\\r\\n1\\r\\n--b--\\r\\n';
    return [...await new Response(text, { headers: { 'content-type': 'multipart/form-data; boundary=b' } }).formData()];`,
  ],
  [
    'forms that are none',
    `return [await tried(() => new Response('x', { headers: { 'content-type': 'multipart/form-data; boundary=b' } }).formData()), await tried(() => new Response('x', { headers: { 'content-type': 'text/plain' } }).formData())];`,
  ],
])('%s', async (_name, body) => {
  expect(await inComponent(sandbox, setup + body)).toEqual(await inNode(setup + body));
});
