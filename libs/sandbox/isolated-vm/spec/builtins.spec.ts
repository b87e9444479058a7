// Node's functions in an isolate have the same results as in Node.
import { IsolatedVmSandbox } from '../isolated-vm-sandbox.ts';
import { createRequire } from 'node:module';
import { bundleOf, cacheDir, valueOf } from './harness.ts';

let sandbox: IsolatedVmSandbox;
beforeAll(async () => (sandbox = await IsolatedVmSandbox.start({ runners: 1, cacheDir })));
afterAll(() => sandbox.close());

const require = createRequire(import.meta.url);

/** The same text, evaluated by Node. */
const inNode = (body: string): unknown =>
  JSON.parse(JSON.stringify((new Function('require', body) as (r: unknown) => unknown)(require) ?? null));

const rsaKeys = (() => {
  const { privateKey, publicKey } = require('node:crypto').generateKeyPairSync('rsa', { modulusLength: 2048 });
  const text = (key: { export(options: object): string }, type: string): string =>
    JSON.stringify(key.export({ type, format: 'pem' }));
  return { privateText: text(privateKey, 'pkcs8'), publicText: text(publicKey, 'spki') };
})();

const crypto = `const crypto = require('node:crypto'); `;
const key32 = `Buffer.alloc(32, 7)`;

it.each([
  [
    'hashes',
    `${crypto} return ['md5', 'sha1', 'sha224', 'sha256', 'SHA384', 'sha512', 'sha3-256', 'ripemd160', 'RSA-SHA256']
    .map((name) => crypto.createHash(name).update('aé').update(Buffer.from([0, 255])).digest('hex'));`,
  ],
  [
    'bytes in a Buffer',
    `const bytes = Buffer.from('abcabc'); const wanted = new Uint8Array(Buffer.from('xbcx')).subarray(1, 3);
    return [bytes.indexOf(wanted), bytes.indexOf(wanted, 2), bytes.lastIndexOf(wanted), bytes.includes(wanted),
      bytes.indexOf(new Uint8Array([120])), Buffer.prototype.indexOf.call(new Uint8Array(bytes), wanted)];`,
  ],
  [
    'hash encodings',
    `${crypto} return ['hex', 'base64', 'base64url', 'latin1', undefined]
    .map((encoding) => crypto.createHash('sha256').update('6162', 'hex').digest(encoding));`,
  ],
  [
    'hash sizes',
    `${crypto} return [0, 1, 55, 56, 57, 63, 64, 65, 119, 120, 128, 5000, 100000]
    .map((n) => ['md5', 'sha1', 'sha256', 'sha512'].map((name) => crypto.createHash(name).update(Buffer.alloc(n, 'xyz')).digest('base64')));`,
  ],
  [
    'hash copies',
    `${crypto} const a = crypto.createHash('sha1').update('a'); const b = a.copy().update('b');
    return [a.digest('hex'), b.digest('hex')];`,
  ],
  [
    'hash misuse',
    `${crypto} const used = crypto.createHash('sha1'); used.digest();
    return [() => used.update('a'), () => used.digest(), () => crypto.createHash('sha1').update(5), () => crypto.createHmac('sha1', 5)]
      .map((f) => { try { f(); return 'fine'; } catch (e) { return [e.name, e.code]; } });`,
  ],
  ['an unknown hash', `${crypto} try { crypto.createHash('nope'); } catch (e) { return e.message; }`],
  [
    'hmacs',
    `${crypto} return ['md5', 'sha1', 'sha256', 'sha512'].flatMap((name) => ['', 'k', Buffer.alloc(200, 'k')]
    .map((key) => crypto.createHmac(name, key).update('some text é').digest('hex')));`,
  ],
  [
    'secret keys',
    `${crypto} const key = crypto.createSecretKey(Buffer.from('abc')); return [key.type, key.symmetricKeySize,
    key.export().toString(), crypto.createHmac('sha256', key).update('x').digest('hex')];`,
  ],
  [
    'ciphers',
    `${crypto} return ['aes-256-cbc', 'aes-256-ctr', 'aes-256-ecb'].map((name) => {
    const iv = name.endsWith('ecb') ? null : Buffer.alloc(16, 1);
    const cipher = crypto.createCipheriv(name, ${key32}, iv); const out = cipher.update('hello', 'utf8', 'hex') + cipher.final('hex');
    const decipher = crypto.createDecipheriv(name, ${key32}, iv); return [out, decipher.update(out, 'hex', 'utf8') + decipher.final('utf8')]; });`,
  ],
  [
    'ciphers with a tag',
    `${crypto} const cipher = crypto.createCipheriv('aes-256-gcm', ${key32}, Buffer.alloc(12, 1)); cipher.setAAD(Buffer.from('aad'));
    const out = cipher.update('hello', 'utf8', 'hex') + cipher.final('hex'); const tag = cipher.getAuthTag();
    const open = (t) => { const d = crypto.createDecipheriv('aes-256-gcm', ${key32}, Buffer.alloc(12, 1)); d.setAAD(Buffer.from('aad'));
      d.setAuthTag(t); return d.update(out, 'hex', 'utf8') + d.final('utf8'); };
    let wrong; try { open(Buffer.alloc(16)); } catch (e) { wrong = e.message; }
    return [out, tag.toString('hex'), open(tag), wrong];`,
  ],
  [
    'derived keys',
    `${crypto} return [crypto.pbkdf2Sync('p', 's', 1000, 32, 'sha256').toString('hex'), crypto.scryptSync('p', 's', 32).toString('hex'),
    Buffer.from(crypto.hkdfSync('sha256', 'k', 's', 'i', 20)).toString('hex')];`,
  ],
  [
    'signatures',
    `${crypto} const [priv, pub] = [${rsaKeys.privateText}, ${rsaKeys.publicText}];
    const made = crypto.createSign('RSA-SHA256').update('text').sign(priv, 'base64');
    return [made, crypto.createVerify('RSA-SHA256').update('text').verify(pub, made, 'base64'),
      crypto.createVerify('RSA-SHA256').update('other').verify(pub, made, 'base64'),
      crypto.sign('sha256', Buffer.from('text'), crypto.createPrivateKey(priv)).toString('base64'),
      crypto.createPublicKey(pub).asymmetricKeyType, crypto.verify('sha256', Buffer.from('text'), pub, Buffer.from(made, 'base64'))];`,
  ],
  [
    'equality in constant time',
    `${crypto} let code; try { crypto.timingSafeEqual(Buffer.from('a'), Buffer.from('ab')); } catch (e) { code = [e.name, e.code]; }
    return [crypto.timingSafeEqual(Buffer.from('ab'), Buffer.from('ab')), crypto.timingSafeEqual(Buffer.from('ab'), Buffer.from('ac')), code];`,
  ],
  [
    'random values',
    `${crypto} const ids = new Set(Array.from({ length: 1000 }, () => crypto.randomUUID()));
    return [crypto.randomBytes(16).length, crypto.randomBytes(5000).length, crypto.randomBytes(0).length, ids.size, /^[0-9a-f-]{36}$/.test([...ids][0]),
      crypto.randomInt(5, 6), crypto.getRandomValues(new Uint8Array(4)).length, globalThis.crypto.randomUUID().length,
      Array.from({ length: 200 }, () => crypto.randomInt(10)).every((n) => n >= 0 && n < 10)];`,
  ],
])('crypto: %s', async (_name, body) => {
  expect(await valueOf(sandbox, body)).toEqual(inNode(body));
});

it.each([
  [
    'encodings',
    `return ['utf8', 'hex', 'base64', 'base64url', 'latin1', 'ascii', 'utf16le'].map((encoding) =>
    Buffer.from('héllo€😀').toString(encoding) + '|' + Buffer.from(Buffer.from('AbZ-_9+/').toString(encoding), encoding).toString('hex'));`,
  ],
  [
    'malformed UTF-8',
    `return ['ff', 'c3', 'e282', 'e28228', 'f09f98', 'eda080', 'f4908080', 'c0af', '61e282ac62ff63'].map((hex) => Buffer.from(hex, 'hex').toString());`,
  ],
  [
    'numbers',
    `const b = Buffer.alloc(32); b.writeUInt32BE(0xdeadbeef, 0); b.writeDoubleLE(1.5, 4); b.writeInt16LE(-2, 12); b.writeBigInt64BE(-5n, 14);
    return [b.toString('hex'), b.readUInt32BE(0), b.readDoubleLE(4), b.readInt16LE(12), String(b.readBigInt64BE(14)), b.readUIntBE(0, 6)];`,
  ],
  [
    'slices, concat, compare',
    `const b = Buffer.from('abcdef'); const s = b.subarray(1, 3); s[0] = 120;
    return [b.toString(), Buffer.concat([b, Buffer.from('!')]).toString(), b.equals(Buffer.from('axcdef')), Buffer.compare(b, s), b.indexOf('cd'),
      b.includes('zz'), b.toJSON(), Buffer.isBuffer(b), Buffer.isBuffer(new Uint8Array(1)), Buffer.byteLength('é€'), Buffer.byteLength('YWI', 'base64url'),
      Buffer.alloc(5, 'ab').toString(), b.fill('z').toString(), Buffer.isEncoding('base64url'), Buffer.from([256, -1, 1.5]).toString('hex')];`,
  ],
  [
    'how it shows itself',
    `const { inspect } = require('util'); return [inspect(Buffer.from('abc')), inspect(Buffer.alloc(52)), inspect(Buffer.alloc(0)), String(Buffer.from('é'))];`,
  ],
  [
    'atob and btoa',
    `const tried = (f) => { try { return f(); } catch (e) { return e.name; } };
    return [btoa('aÿ'), atob('YWI='), atob(' Y W I '), tried(() => atob('a')), tried(() => btoa('€')), tried(() => atob('*'))];`,
  ],
])('Buffer: %s', async (_name, body) => {
  expect(await valueOf(sandbox, body)).toEqual(inNode(body));
});

it.each([
  [
    'URLs',
    `return ['http://User:p%40ss@EXAMPLE.com:80/a/../b/./c?x=1&y=ü#frag', 'https://münchen.de/ä?q=ö', 'https://[::1]:8080/', 'http://192.168.1/',
    'file:///a/b', 'mailto:a@b.c', 'http://faß.de/', 'not a url', 'http://a b/', 'https://x.com/%zz?a=%20+b'].map((text) => {
      try { const u = new URL(text); return [u.href, u.origin, u.host, u.pathname, u.search, u.hash, u.username, u.password]; } catch (e) { return [e.name]; } });`,
  ],
  [
    'relative URLs and changes',
    `const u = new URL('../x?y=1', 'https://h.com/a/b/c'); u.searchParams.append('z', 'a b&c'); u.port = '8443'; u.pathname = '/ü';
    return [u.href, JSON.stringify(u), URL.canParse('x:y'), URL.canParse('zz')];`,
  ],
  [
    'URLSearchParams',
    `const p = new URLSearchParams('a=1&b=2&a=3&c=%20x+y&d'); p.append('e', 'ü€&='); p.delete('b'); p.sort();
    return [p.toString(), p.getAll('a'), p.get('c'), p.has('d'), [...p], [...new URLSearchParams({ x: 1, y: 'z' })], new URLSearchParams([['q', 'r']]).toString(), p.size];`,
  ],
  [
    'querystring',
    `const qs = require('querystring'); return [qs.parse('a=1&a=2&b=%20c+d&e'), qs.stringify({ a: [1, 2], b: 'ü &', c: true, d: undefined }), qs.escape('a b&ü'), qs.unescape('%41+')].map((v) => typeof v === 'string' ? v : { ...v });`,
  ],
  [
    'punycode',
    `const p = require('punycode/'.slice(0, -1)); return [p.encode('mañana'), p.decode('maana-pta'), p.toASCII('mañana.com'), p.toUnicode('xn--maana-pta.com')];`,
  ],
])('addresses: %s', async (_name, body) => {
  expect(await valueOf(sandbox, body)).toEqual(inNode(body));
});

it.each([
  [
    'TextEncoder',
    `const e = new TextEncoder(); const into = new Uint8Array(5);
    return [[...e.encode('aé€😀\\ud800')], [...e.encode()], e.encodeInto('a€€', into), [...into], e.encoding];`,
  ],
  [
    'TextDecoder',
    `const bytes = (...list) => new Uint8Array(list); const tried = (f) => { try { return f(); } catch (e) { return [e.name, e.code]; } };
    const d = new TextDecoder(); const parts = [d.decode(bytes(0xe2, 0x82), { stream: true }), d.decode(bytes(0xac), { stream: true }), d.decode()];
    return [parts, new TextDecoder().decode(bytes(0xef, 0xbb, 0xbf, 97)), new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes(0xef, 0xbb, 0xbf, 97)).length,
      new TextDecoder('latin1').decode(bytes(0x80, 0xe9)), new TextDecoder('utf-16le').decode(bytes(0x61, 0, 0x3d, 0xd8)), new TextDecoder('UTF8').encoding,
      tried(() => new TextDecoder('utf-8', { fatal: true }).decode(bytes(0xff))), tried(() => new TextDecoder('nope')).at(0),
      new TextDecoder('utf-8', { fatal: true }).decode(bytes(0xef, 0xbf, 0xbd)), new TextDecoder().decode(bytes(0xf0, 0x9f, 0x98, 97, 0xc0, 0xaf))];`,
  ],
  [
    'structuredClone',
    `const a = { d: new Date(0), m: new Map([[1, { x: [1, 2] }]]), s: new Set(['q']), r: /a/g, n: null }; a.self = a; const b = structuredClone(a);
    let fn; try { structuredClone(() => {}); } catch (e) { fn = e.name; }
    return [b.self === b, b !== a, b.d.getTime(), [...b.m], [...b.s], String(b.r), fn];`,
  ],
  [
    'aborting',
    `const c = new AbortController(); const seen = []; c.signal.addEventListener('abort', (e) => seen.push(e.type)); c.signal.onabort = () => seen.push('on');
    c.abort(); c.abort(); let thrown; try { c.signal.throwIfAborted(); } catch (e) { thrown = [e.name, e.message]; }
    return [seen, c.signal.aborted, thrown, AbortSignal.abort('r').reason, AbortSignal.any([AbortSignal.abort(1)]).reason];`,
  ],
  [
    'events',
    `const E = require('events'); const e = new E(); const seen = []; e.once('a', (x) => seen.push(x)); e.on('a', (x) => seen.push(-x)); e.emit('a', 1); e.emit('a', 2);
    const t = new EventTarget(); t.addEventListener('x', (ev) => seen.push(ev.type), { once: true }); t.dispatchEvent(new Event('x')); t.dispatchEvent(new Event('x'));
    return [seen, e.listenerCount('a'), e.emit('none'), E.EventEmitter === E, typeof E.once];`,
  ],
  [
    'util',
    `const util = require('util'); class A { constructor() { this.x = 1; } }
    return [util.format('%s %d %j %o %%', 'a', 1.5, { b: 1 }, [1]), util.format('x', { a: { b: { c: { d: 1 } } } }, new Map([['k', new Set([1])]])), util.inspect(new A()),
      util.inspect({ f() {}, s: Symbol('q'), d: new Date(0), e: [undefined, null, NaN, -0], n: 10n, r: /x/ }), util.isDeepStrictEqual({ a: [1] }, { a: [1] }),
      util.types.isDate(new Date()), util.types.isPromise(Promise.resolve()), typeof util.promisify(setTimeout), util.inherits.length, util.stripVTControlCharacters('\\u001b[31mred\\u001b[0m')];`,
  ],
  [
    'path',
    `const path = require('path'); return [path.join('/a', '..', 'b', './c'), path.basename('/x/y.tar.gz', '.gz'), path.extname('a.b'), path.parse('/h/f.txt'), path.relative('/a/b', '/a/c'), path.normalize('a//b/../c'), path.sep, path.isAbsolute('/x')];`,
  ],
  [
    'assert',
    `const assert = require('assert'); const tried = (f) => { try { f(); return 'fine'; } catch (e) { return [e.name, e.code, e.message.split('\\n')[0]]; } };
    return [tried(() => assert(true)), tried(() => assert.equal(1, 2, 'msg')), tried(() => assert.deepStrictEqual({ a: 1 }, { a: 1 })), tried(() => assert.throws(() => { throw new Error('x'); }, /x/)), tried(() => assert.strictEqual(1, '1', 'm'))];`,
  ],
  [
    'string_decoder',
    `const { StringDecoder } = require('string_decoder'); const d = new StringDecoder('utf8'); return [d.write(Buffer.from([0xe2, 0x82])), d.write(Buffer.from([0xac])), d.end(Buffer.from([0xc3]))];`,
  ],
  [
    'builtins with and without node:',
    `return ['crypto', 'buffer', 'events', 'util', 'path', 'querystring', 'assert', 'stream', 'string_decoder', 'url', 'os', 'timers', 'process', 'console']
    .map((name) => require(name) === require('node:' + name));`,
  ],
])('web and node: %s', async (_name, body) => {
  expect(await valueOf(sandbox, body)).toEqual(inNode(body));
});

it('streams, promisify, timers and microtasks behave and are ordered as in Node', async () => {
  const body = `const { Readable, Transform, pipeline } = require('stream'); const { promisify } = require('util');
    const seen = []; const upper = new Transform({ transform(c, e, d) { d(null, String(c).toUpperCase()); } });
    upper.on('data', (c) => seen.push(String(c)));
    await promisify(pipeline)(Readable.from(['a', 'b']), upper);
    const hash = require('crypto').createHash('sha1'); Readable.from(['ab']).pipe(hash); const [piped] = await require('events').once(hash, 'readable').then(() => [hash.read().toString('hex')]);
    const order = []; setTimeout(() => order.push('timer'), 5); queueMicrotask(() => order.push('micro')); process.nextTick(() => order.push('tick')); order.push('sync');
    await new Promise((resolve) => setTimeout(resolve, 30));
    let count = 0; await new Promise((resolve) => { const i = setInterval(() => { if (++count === 3) { clearInterval(i); resolve(); } }, 1); });
    const cleared = setTimeout(() => order.push('never'), 1); clearTimeout(cleared); await require('timers/promises').setTimeout(5);
    const digest = Buffer.from(await crypto.subtle.digest('SHA-256', new TextEncoder().encode('x'))).toString('hex');
    return [seen, piped, order[0], order.includes('micro') && order.includes('tick'), order.at(-1), count, digest.slice(0, 8)];`;
  const code = `module.exports = { name: 'a', version: '1', async run() { this.$emit(await (async () => { ${body} })()); } }`;
  const outcome = await sandbox.invoke({
    sourceId: 'dc_streams',
    revision: 1,
    bundle: () => bundleOf(code),
    what: 'run',
    event: {},
    props: {},
    db: () => ({}),
    onRespond: () => {},
  });
  expect(outcome.error).toBeUndefined();
  const sha1 = 'da23614e02469a0d7c7bd1bdab5c9c474b1904dc';
  expect(outcome.emits[0]?.event).toEqual([['A', 'B'], sha1, 'sync', true, 'timer', 3, '2d711642']);
});

it('rejects unavailable modules when they are used, not when they are imported', async () => {
  const body = `const tried = (f) => { try { f(); return 'fine'; } catch (e) { return e.message; } };
    return [tried(() => require('net').connect(1)), tried(() => require('child_process').exec('x')), tried(() => new (require('worker_threads').Worker)('x')),
      tried(() => process.exit()), tried(() => require('vm').runInThisContext('1')), tried(() => require('left-pad'.slice()))];`;
  expect(await valueOf(sandbox, body)).toEqual([
    'net.connect is not available to components: they have HTTP, and no sockets',
    'child_process.exec is not available to components: they run isolated from the machine',
    'worker_threads.Worker is not available to components: they run isolated from the machine',
    'process.exit() is not available to components',
    'vm.runInThisContext is not available to components: they run isolated from the machine',
    "Cannot find module 'left-pad': it is not in the component's bundle",
  ]);
});

it('lists in modules that are unavailable what packages use, for those that import all names', async () => {
  const body = `const tried = (f) => { try { return f(); } catch (e) { return e.message; } };
    const copied = (name) => Object.fromEntries(Object.keys(require(name)).map((key) => [key, require(name)[key]]));
    return [tried(() => copied('net').connect(1)), tried(() => copied('net').isIP('::1')), tried(() => copied('tls').DEFAULT_MIN_VERSION), tried(() => copied('child_process').spawn('ls'))];`;
  expect(await valueOf(sandbox, body)).toEqual([
    'net.connect is not available to components: they have HTTP, and no sockets',
    6,
    'TLSv1.2',
    'child_process.spawn is not available to components: they run isolated from the machine',
  ]);
});

it('has streams that old packages can inherit from with util.inherits', async () => {
  const body = `const Stream = require('stream'); const { inherits } = require('util');
    function Old() { this._readableState = { mine: true }; Stream.call(this); } inherits(Old, Stream); const old = new Old();
    return [Stream === Stream.Stream, old._readableState, old instanceof Stream, typeof old.pipe, new Stream.PassThrough() instanceof Stream,
      require('stream/promises') === Stream.promises, typeof Stream.Readable.from];`;
  expect(await valueOf(sandbox, body)).toEqual(inNode(body));
});

it('has the legacy url module, which Node now warns about', async () => {
  const body = `const url = require('url'); const u = url.parse('http://u:p@h.com:81/a?b=c&d=e#f', true);
    return [u.host, u.auth, u.pathname, { ...u.query }, url.resolve('http://a/b/c', '../d'), url.format({ protocol: 'http', host: 'x', pathname: '/y', query: { z: 1 } }),
      url.format(new URL('http://x/y')), url.urlToHttpOptions(new URL('http://a:b@h:8/p?q')).auth, url.fileURLToPath('file:///a%20b'), u.query.b, url.parse('/x?y').search];`;
  expect(await valueOf(sandbox, body)).toEqual([
    'h.com:81',
    'u:p',
    '/a',
    { b: 'c', d: 'e' },
    'http://a/d',
    'http://x/y?z=1',
    'http://x/y',
    'a:b',
    '/a b',
    'c',
    '?y',
  ]);
});
