// Builtins of which components use little have the same results as in Node.
import { IsolatedVmSandbox } from '../../isolated-vm-sandbox.ts';
import { cacheDir, invoke, source } from '../harness.ts';
import { inComponent, inNode } from '../work/as-node.ts';

let sandbox: IsolatedVmSandbox;
beforeAll(async () => {
  sandbox = await IsolatedVmSandbox.start({ runners: 1, cacheDir });
});
afterAll(() => sandbox.close());

it.each([
  [
    'lines of a stream',
    `const { createInterface } = require('readline'); const { Readable } = require('stream'); const lines = [];
    const parts = ['one\\ntw', 'o\\r', '\\nthree\\n\\nlast é'.normalize()]; for await (const line of createInterface({ input: Readable.from(parts.map((part) => Buffer.from(part))) })) lines.push(line); return lines;`,
  ],
  [
    'lines as events',
    `const { createInterface } = require('node:readline/promises'); const { Readable } = require('stream'); const { once } = require('events'); const lines = [];
    const reader = createInterface(Readable.from(['a\\nb'])); reader.on('line', (line) => lines.push(line)); await once(reader, 'close'); return lines;`,
  ],
  [
    'lines until they are left',
    `const { createInterface } = require('readline'); const { Readable } = require('stream');
    for await (const line of createInterface({ input: Readable.from(['a\\nb\\nc']) })) return line;`,
  ],
  [
    'lines of a file',
    `const fs = require('fs'); fs.writeFileSync('/tmp/wellspring-lines', 'a\\nb\\n'); const file = await require('fs/promises').open('/tmp/wellspring-lines'); const lines = []; for await (const line of file.readLines()) lines.push(line); fs.rmSync('/tmp/wellspring-lines'); return lines;`,
  ],
  [
    'a file that is read without a buffer',
    `const path = '/tmp/wellspring-read'; const fs = require('fs'); fs.writeFileSync(path, 'abc'); const file = await fs.promises.open(path); const one = await file.read(); const two = await file.read({ buffer: Buffer.alloc(2), position: 1 }); const parts = [];
    for await (const part of file.readableWebStream()) parts.push(shown(part)); await file.close().catch(() => {}); fs.rmSync(path); return [one.bytesRead, one.buffer.length, two.bytesRead, shown(two.buffer), parts];`,
  ],
  [
    'how often somebody listens',
    `const events = require('events'); const emitter = new events(); const heard = () => {}; emitter.on('x', heard); emitter.once('x', heard); emitter.on('x', () => {}); events.setMaxListeners(7, emitter);
    return [emitter.listenerCount('x'), emitter.listenerCount('x', heard), emitter.listenerCount('y', heard), emitter.getMaxListeners(), events.getMaxListeners(emitter)];`,
  ],
  [
    'errors that are watched',
    `const { EventEmitter, errorMonitor } = require('events'); const seen = []; const emitter = new EventEmitter(); emitter.on(errorMonitor, (error) => seen.push(error.message));
    await tried(() => emitter.emit('error', new TypeError('x'))); seen.push(await tried(() => emitter.emit('error', 'text'))); try { emitter.emit('error', { a: 1 }); } catch (error) { seen.push(error.message); } emitter.on('error', () => seen.push('heard')); emitter.emit('error', new Error('y')); return seen;`,
  ],
  [
    'the names of classes that libraries know objects by',
    `const { signal } = new AbortController(); const { subtle } = globalThis.crypto; const { toString } = Object.prototype;
    const all = [signal, new AbortController(), new Event('x'), new CustomEvent('x'), new EventTarget(), new TextEncoder(), new TextDecoder(), new CompressionStream('gzip'), new DecompressionStream('gzip'), globalThis.crypto, subtle, performance];
    return [all.map((one) => toString.call(one)), signal[Symbol.toStringTag], Object.keys(signal).includes('toStringTag'), require('util').inspect(new AbortController()).slice(0, 17)];`,
  ],
  [
    'patterns of URLs',
    `const p = new URLPattern({ pathname: '/books/:id' }); const q = new URLPattern('/api/:v(\\\\d+)/*', 'https://b.example'); const r = new URLPattern('https://*.example.com/:a?/{b/}?c', { ignoreCase: true });
    return [p.test('https://a.example/books/5'), p.test('https://a.example/x'), JSON.parse(JSON.stringify(p.exec('https://a.example/books/5?x=1'))), [p.pathname, p.protocol, p.search, p.hasRegExpGroups], q.test('/api/2/x/y', 'https://b.example'), q.exec('https://b.example/api/2/x/y')?.pathname, q.hasRegExpGroups, q.exec({ pathname: '/none' }),
      r.test('https://x.EXAMPLE.com/C'), r.exec('https://x.example.com/q/b/C')?.hostname, (await tried(() => new URLPattern('(')))[0], require('url').URLPattern === URLPattern, URLPattern.name];`,
  ],
  [
    'options of a command line',
    `const { parseArgs } = require('util'); const options = { all: { type: 'boolean', short: 'a' }, file: { type: 'string', short: 'f', default: 'none' }, tag: { type: 'string', multiple: true }, more: { type: 'boolean', multiple: true, short: 'm' }, 'dry-run': { type: 'boolean', default: true } };
    const lines = ['', '-a', '--all --file x', '-af x', '-fx', '-amfx y', '--file=a=b', '--tag 1 --tag=2', '-mm', '-- -a x', 'x -a y -- --file', '--no-all', '--no-dry-run', '--none', '-z', '--file', '--file -a', '--all=1', '-f', '--file=', '-', '-a -', '--tag=-x', '--__proto__', '-az'];
    const results = []; for (const extra of [{}, { strict: false }, { allowPositionals: true, tokens: true }, { allowNegative: true, allowPositionals: true, tokens: true }]) for (const line of lines) results.push([line, extra, await tried(() => parseArgs({ args: line === '' ? [] : line.split(' '), options, ...extra }))]);
    for (const wrong of [{ a: { type: 'number' } }, { a: {} }, { a: { type: 'string', short: 'ab' } }, { a: { type: 'string', default: 1 } }, { a: { type: 'string', multiple: true, default: 'x' } }, { a: { type: 'boolean', multiple: 'x' } }]) results.push(await tried(() => parseArgs({ args: [], options: wrong })));
    return [results, parseArgs({ args: ['-x'], strict: false }), await tried(() => parseArgs({ args: 'text' }))];`,
  ],
  [
    'channels',
    `const channels = require('diagnostics_channel'); const seen = []; const heard = (message, name) => seen.push([message, name]); channels.subscribe('a', heard);
    const channel = channels.channel('a'); channel.publish(1); seen.push(channel.hasSubscribers, channels.unsubscribe('a', heard), channel.hasSubscribers); channel.publish(2);
    const traced = channels.tracingChannel('t'); traced.subscribe({ start: () => seen.push('start'), end: () => seen.push('end') }); seen.push(traced.traceSync((x) => x + 1, {}, null, 1)); return seen;`,
  ],
  [
    'marks and measures',
    `const one = performance.mark('one', { detail: { a: 1 } }); performance.mark('two'); const span = performance.measure('span', 'one', 'two');
    const told = [one.name, one.entryType, one.detail, span.entryType, span.duration >= 0, performance.getEntriesByName('one').length, performance.getEntriesByType('measure').length, await tried(() => performance.measure('x', 'no mark'))];
    performance.clearMarks(); performance.clearMeasures(); return [told, performance.getEntriesByType('mark').length];`,
  ],
  [
    'kinds of values',
    `const { types } = require('util'); return [types.isAsyncFunction(async () => {}), types.isAsyncFunction(async function* () {}), types.isAsyncFunction(() => {}), types.isKeyObject(require('crypto').createSecretKey(Buffer.from('k'))), types.isKeyObject({})];`,
  ],
  [
    'queries',
    `const { unescape, parse, stringify, escape } = require('querystring'); const read = (...args) => Object.entries(parse(...args));
    return [unescape('%20%zz%C3%A9'), unescape('100%'), read('a=%zz&b=%20&a=1+2&a=3&c&&=x&d=e=f'), read('a:1;b:2', ';', ':'), read('a=1&b=2&c=3', null, null, { maxKeys: 2 }), read('__proto__=1&a=%E4', '&', '=', { decodeURIComponent: decodeURIComponent }), read(undefined),
      stringify({ a: [1, 'x y', null], b: true, c: undefined, d: 'é&=', e: {}, f: NaN, g: 10n }), stringify({ a: 1, b: 2 }, ';', ':'), stringify('text'), escape("!'()*~ü")];`,
  ],
  [
    'heirs that have methods before they inherit',
    `const { inherits } = require('util'); function Old() {} Old.prototype.a = () => 'a'; function New() {} New.prototype.b = () => 'b'; inherits(New, Old); const made = new New();
    return [made.a(), made.b(), made instanceof Old, New.super_ === Old, await tried(() => inherits(New, undefined))];`,
  ],
  [
    'names of HTTP, and whether a header can be sent',
    `const { METHODS, STATUS_CODES, validateHeaderName, validateHeaderValue, Agent } = require('http'); const agent = new Agent({ maxSockets: 5, maxFreeSockets: 2 });
    return [METHODS, STATUS_CODES, await Promise.all([() => validateHeaderName('a b'), () => validateHeaderName('x-a'), () => validateHeaderValue('a', 'b\\nc'), () => validateHeaderValue('a', undefined), () => validateHeaderValue('a', 'é')].map(tried)), agent.maxSockets, agent.maxFreeSockets, new Agent().maxSockets];`,
  ],
  ['an answer of an error', `const { type, status, ok, body } = Response.error(); return [type, status, ok, body];`],
  [
    'objects of which there is one',
    `return [globalThis.crypto instanceof Crypto, globalThis.crypto.subtle instanceof SubtleCrypto, performance instanceof Performance, Crypto.name, typeof PerformanceObserver, await tried(() => new Crypto()).then(([name]) => name)];`,
  ],
  [
    'processors to share work among',
    `return [require('os').cpus().length > 0, navigator.hardwareConcurrency > 0, require('os').constants.signals.SIGTERM];`,
  ],
])('%s', async (_name, body) => {
  expect(await inComponent(sandbox, body)).toEqual(await inNode(body));
});

it('readline asks nobody', async () => {
  const body = `require('readline').createInterface({ input: require('stream').Readable.from([]) }).question('Who?', () => {});`;
  const message = 'readline.question is not available to components: they have no terminal';
  expect(await invoke(sandbox, source(body))).toMatchObject({ end: 'threw', error: { message } });
});

it('the output is a stream that stays open, and no input comes', async () => {
  const body = `const { Readable, Writable } = require('stream'); const { stdout, stderr, stdin } = process; const read = [];
    for (const out of [stdout, stderr]) await new Promise((resolve) => Readable.from(['piped', Buffer.from('é\\n')]).on('end', resolve).pipe(out));
    await new Promise((resolve) => stdout.end('last', resolve)); stdout.destroy(); stdout.write('more');
    for await (const part of stdin) read.push(part);
    this.$emit([stdout instanceof Writable, stdout.fd, stderr.fd, stdout.writable, stdin instanceof Readable, read]);`;
  const { emits, console } = await invoke(sandbox, source(body));
  expect(emits[0]?.event).toEqual([true, 1, 2, true, true, []]);
  const printed = console.map(({ level, text }) => [level, text]);
  expect(printed).toEqual([
    ['log', 'piped'],
    ['log', 'é'],
    ['error', 'piped'],
    ['error', 'é'],
    ['log', 'last'],
    ['log', 'more'],
  ]);
});
