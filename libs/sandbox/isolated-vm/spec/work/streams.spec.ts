// Node's and the web's streams, converted to each other and piped through crypto, have the same results as in Node.
import { IsolatedVmSandbox } from '../../isolated-vm-sandbox.ts';
import { cacheDir } from '../harness.ts';
import { inComponent, inNode } from './as-node.ts';

let sandbox: IsolatedVmSandbox;
beforeAll(async () => {
  sandbox = await IsolatedVmSandbox.start({ runners: 1, cacheDir });
});
afterAll(() => sandbox.close());

const streams = `const { Readable, Writable, Duplex, PassThrough } = require('stream'); const { pipeline } = require('stream/promises');
  const { text, buffer } = require('stream/consumers'); const crypto = require('crypto');
  const web = (...parts) => new ReadableStream({ start(c) { for (const part of parts) c.enqueue(part); c.close(); } });
  const told = async (work) => { try { return await work(); } catch (error) { return [error.name, error.message]; } };\n`;

it.each([
  [
    'a body into a file',
    `const fs = require('fs'); await pipeline(Readable.fromWeb(new Response('the body').body), fs.createWriteStream('/tmp/wellspring-body')); const got = fs.readFileSync('/tmp/wellspring-body', 'utf8'); fs.rmSync('/tmp/wellspring-body'); return got;`,
  ],
  ['texts of the web', `return await text(Readable.fromWeb(web('a', 'b')));`],
  ['objects of the web', `return await Readable.fromWeb(web({ a: 1 }, 2), { objectMode: true }).toArray();`],
  [
    'a failure of the web',
    `return await told(() => text(Readable.fromWeb(new ReadableStream({ pull(c) { c.error(new Error('broken')); } }))));`,
  ],
  [
    'a reader that stops',
    `let why = 'none'; const source = new ReadableStream({ pull(c) { c.enqueue('x'); }, cancel() { why = 'cancelled'; } });
    for await (const part of Readable.fromWeb(source)) break; await new Promise((go) => setTimeout(go, 5)); return why;`,
  ],
  [
    'a Readable as a web stream',
    `const parts = []; for await (const part of Readable.toWeb(Readable.from([Buffer.from('a'), 'b']))) parts.push(String(part), part.constructor.name); return parts;`,
  ],
  [
    'a failing Readable as a web stream',
    `return await told(async () => { for await (const part of Readable.toWeb(new Readable({ read() { this.destroy(new Error('gone')); } }))); });`,
  ],
  [
    'a Readable as a body',
    `const body = new PassThrough(); body.write('one '); body.end('two'); return await new Response(Readable.toWeb(body)).text();`,
  ],
  [
    'a Writable as a web stream',
    `const got = []; const writer = Writable.toWeb(new Writable({ write(c, e, done) { got.push(String(c)); done(); } })).getWriter(); await writer.write('a'); await writer.close(); return got;`,
  ],
  [
    'a web stream as a Writable',
    `const got = []; await pipeline(Readable.from(['a', 'b']), Writable.fromWeb(new WritableStream({ write(c) { got.push(String(c)); } }))); return got;`,
  ],
  [
    'a pair as a Duplex',
    `const upper = new TransformStream({ transform(c, k) { k.enqueue(String(c).toUpperCase()); } }); return await text(Readable.from(['a', 'b']).pipe(Duplex.fromWeb(upper)));`,
  ],
  [
    'a Duplex as a pair',
    `const pair = Duplex.toWeb(new PassThrough()); const writer = pair.writable.getWriter(); void writer.write('x').then(() => writer.close()); return await new Response(pair.readable).text();`,
  ],
  [
    'a hash at the end of a pipeline',
    `const hash = crypto.createHash('sha256'); await pipeline(Readable.from(['a', 'b']), hash); return hash.digest('hex');`,
  ],
  [
    'a hash that is piped on',
    `return (await buffer(Readable.from(['a']).pipe(crypto.createHmac('sha1', 'k')))).toString('hex');`,
  ],
  [
    'ciphers',
    `const [key, iv] = [Buffer.alloc(32, 1), Buffer.alloc(16, 2)]; const sealed = await buffer(Readable.from(['secret', ' text']).pipe(crypto.createCipheriv('aes-256-cbc', key, iv)));
    return [sealed.toString('hex'), await text(Readable.from([sealed]).pipe(crypto.createDecipheriv('aes-256-cbc', key, iv)))];`,
  ],
  [
    'a hash of a length that is asked for',
    `return [crypto.createHash('shake128', { outputLength: 8 }).update('x').digest('hex'), crypto.createHash('shake256').copy().digest('hex').length, await tried(() => crypto.createHash('sha256', { outputLength: 5 }).update('x').digest())];`,
  ],
  [
    'a cipher that fails',
    `const opened = crypto.createDecipheriv('aes-256-cbc', Buffer.alloc(32), Buffer.alloc(16)); return await pipeline(Readable.from(['short']), opened, new PassThrough()).then(() => 'opened', (error) => error.code);`,
  ],
])('%s', async (_name, body) => {
  expect(await inComponent(sandbox, streams + body)).toEqual(await inNode(streams + body));
});

it('keys are exported in the form that is asked for, or refused', async () => {
  const body = `const crypto = require('crypto');
    const der = Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), Buffer.alloc(32, 5)]);
    const key = crypto.createPublicKey({ key: der, format: 'der', type: 'spki' });
    return [key.export({ format: 'der', type: 'spki' }).equals(der), key.export({ format: 'jwk' }).crv, key.export({ format: 'pem', type: 'spki' }).slice(0, 26),
      crypto.createSecretKey(Buffer.from('k')).export({ format: 'jwk' }), await tried(() => crypto.timingSafeEqual('a', 'a'))];`;
  const exported = await inComponent(sandbox, body);
  expect(exported).toEqual(await inNode(body));
  const refused = `return await tried(() => require('crypto').createPublicKey({ key: Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), Buffer.alloc(32, 5)]), format: 'der', type: 'spki' }).export({ format: 'der', type: 'pkcs1' }))`;
  expect(((await inComponent(sandbox, refused)) as string[])[1]).toEqual(((await inNode(refused)) as string[])[1]);
});
