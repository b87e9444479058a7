// Test programs of libraries that compute, and of Node's own modules as libraries use them.
import { generateKeyPairSync } from 'node:crypto';
import type { LibraryProgram } from './in-both.ts';

const keys = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
});

export const pure: Readonly<Record<string, LibraryProgram>> = {
  lodash: {
    imports: `import _ from 'lodash'; import get from 'lodash/get.js'; import { chunk } from 'lodash';`,
    body: `
      let calls = 0; const once = _.debounce(() => calls++, 20); once(); once(); await new Promise((resolve) => setTimeout(resolve, 80));
      return [_.groupBy([1, 2, 3], (n) => n % 2), _.merge({ a: { b: 1 } }, { a: { c: [2] } }), _.template('<%= a %>!')({ a: 'x' }), get({ a: [{ b: 3 }] }, 'a[0].b'),
        chunk([1, 2, 3], 2), _.cloneDeep({ d: new Date(0), m: new Map([[1, 2]]), b: Buffer.from('x') }), _.isEqual(new Set([1]), new Set([1])), calls,
        _.startCase('fooBar'), _.deburr('déjà'), _.isBuffer(Buffer.alloc(1)), _.sortBy([{ a: 2 }, { a: 1 }], 'a'), typeof _.uniqueId(), _.isPlainObject(Object.create(null))];`,
  },
  uuid: {
    imports: `import { v1, v3, v4, v5, v7, validate, version, parse, stringify, NIL } from 'uuid';`,
    body: `
      const ids = [v1(), v4(), v7()];
      return [ids.map(validate), ids.map(version), v5('a', v5.DNS), v3('a', v3.URL), stringify(parse(v5('b', v5.URL))), NIL, new Set(Array.from({ length: 500 }, () => v4())).size,
        v4({ random: Buffer.alloc(16, 1) })];`,
  },
  crypto: {
    imports: `import crypto from 'node:crypto'; import { createHmac, randomInt } from 'crypto';`,
    body: `
      const key = crypto.scryptSync('p', 's', 32); const cipher = crypto.createCipheriv('aes-256-cbc', key, Buffer.alloc(16));
      const sealed = cipher.update('text', 'utf8', 'base64') + cipher.final('base64');
      const stream = crypto.createHash('sha256'); stream.write('a'); stream.end('b');
      return [createHmac('sha256', 'k').update('x').digest('base64url'), sealed, crypto.pbkdf2Sync('p', 's', 10, 16, 'sha1').toString('hex'),
        await new Promise((resolve, reject) => crypto.pbkdf2('p', 's', 10, 16, 'sha512', (e, v) => e ? reject(e) : resolve(v.toString('hex')))),
        crypto.timingSafeEqual(Buffer.from('a'), Buffer.from('a')), randomInt(3, 4), crypto.randomBytes(8).length, (await textOf(stream)).length,
        crypto.getHashes().includes('sha256'), Buffer.from(await crypto.subtle.digest('SHA-256', Buffer.from('a'))).toString('hex'), crypto.hash?.('sha1', 'a')];`,
  },
  Buffer: {
    imports: `import { Buffer as B, Blob as NodeBlob } from 'node:buffer';`,
    body: `
      const b = Buffer.from('héllo wörld'); const view = b.subarray(1, 4); view[0] = 65;
      return [B === Buffer, b.toString('base64'), b.toString('latin1'), Buffer.from('ff0a', 'hex'), Buffer.concat([b, view], 5).toString(), b.readUInt32BE(1), b.readDoubleLE(2),
        Buffer.alloc(8).writeBigInt64LE(-5n), Buffer.byteLength('€'), b.equals(Buffer.from(b)), Buffer.compare(Buffer.from('a'), Buffer.from('b')), b.indexOf('w'), b.swap16 && Buffer.from([1, 2]).swap16(),
        JSON.stringify(Buffer.from('x')), [...b.entries()].length, Buffer.isEncoding('utf-8'), b.slice(-3).toString(), new NodeBlob(['a', b]).size, b.fill('ab', 0, 3).toString('hex'),
        Buffer.from(new Uint16Array([1, 2]).buffer), Buffer.from('dGVzdA', 'base64url').toString(), typeof b.parent, b.lastIndexOf('l'), String(Buffer.from('a').includes('a'))];`,
  },
  'URL and what else the web has': {
    imports: ``,
    body: `
      const u = new URL('../b?x=1&x=2#h', 'https://u:p@exämple.org:8080/a/c'); u.searchParams.append('y', 'ü '); u.searchParams.sort();
      const controller = new AbortController(); const heard = []; controller.signal.addEventListener('abort', (event) => heard.push(event.type)); controller.abort();
      const form = new FormData(); form.append('a', '1'); form.append('f', new File(['x'], 'n.txt', { type: 'text/plain' }));
      const stream = new ReadableStream({ start(c) { c.enqueue('a'); c.enqueue('b'); c.close(); } }).pipeThrough(new TransformStream({ transform(part, c) { c.enqueue(part.toUpperCase()); } }));
      const parts = []; for await (const part of stream) parts.push(part);
      const response = new Response(JSON.stringify({ a: 1 }), { status: 201, headers: { 'X-A': 'b' } });
      const { port1, port2 } = new MessageChannel(); const received = new Promise((resolve) => { port2.onmessage = ({ data }) => { port2.close(); resolve(data); }; }); port1.postMessage({ a: new Map([[1, 2]]) });
      const bytes = new ReadableStream({ start(c) { c.enqueue(new Uint8Array([0xe2, 0x82])); c.enqueue(new Uint8Array([0xac])); c.close(); } }); const decoded = []; for await (const part of bytes.pipeThrough(new TextDecoderStream())) decoded.push(part);
      return [(await received).a.get(1), decoded, bytes.locked, new ReadableStream().getReader() instanceof ReadableStreamDefaultReader, typeof WebSocket, u.href, u.origin, u.host, [...new URLSearchParams('a=b&a=c')], URL.canParse('nope'), new TextDecoder('utf-16le').decode(new Uint8Array([104, 0])), [...new TextEncoder().encode('€')],
        heard, controller.signal.aborted, structuredClone({ d: new Date(0), m: new Map([['a', new Set([1])]]) }).m.get('a').size, form.get('f').name, [...form.keys()], atob(btoa('hi')), parts,
        response.status, response.headers.get('x-a'), await response.clone().json(), await new Blob(['a', new Uint8Array([98])]).text(), await new Request('http://a.example/', { method: 'post', body: 'x' }).text(),
        new Headers([['A', '1'], ['a', '2']]).get('a'), await tried(() => new Promise((_, reject) => { setTimeout(() => {}, 100); const s = AbortSignal.timeout(5); s.addEventListener('abort', () => reject(s.reason)); })),
        await new Promise((resolve) => queueMicrotask(() => resolve('micro'))), new DOMException('m', 'AbortError').code];`,
  },
  'streams, events and util': {
    imports: `import { Readable, Writable, Transform, PassThrough, pipeline, finished } from 'node:stream'; import { pipeline as piped } from 'node:stream/promises';
      import { EventEmitter, once } from 'node:events'; import util, { promisify, inspect, inherits, types } from 'node:util'; import { text, json } from 'node:stream/consumers';
      import { setTimeout as wait } from 'node:timers/promises'; import path from 'node:path'; import querystring from 'node:querystring'; import assert from 'node:assert'; import { StringDecoder } from 'node:string_decoder';`,
    body: `
      const upper = new Transform({ transform(part, _, done) { done(null, String(part).toUpperCase()); } });
      const sink = []; await piped(Readable.from(['a', 'b']), upper, new Writable({ write(part, _, done) { sink.push(String(part)); done(); } }));
      const emitter = new EventEmitter(); setTimeout(() => emitter.emit('x', 1, 2), 5); const heard = await once(emitter, 'x');
      const failed = await tried(() => piped(Readable.from([1]), new Transform({ objectMode: true, transform(p, _, done) { done(Object.assign(new Error('no'), { code: 'E_NO' })); } }), new PassThrough({ objectMode: true })));
      function Old() { EventEmitter.call(this); } inherits(Old, EventEmitter); const old = new Old(); old.on('a', () => {});
      const decoder = new StringDecoder('utf8');
      return [sink, heard, failed, await text(Readable.from(['c', 'd'])), await json(Readable.from(['{"a":', '1}'])), await promisify((a, done) => done(null, a + 1))(1), await promisify(setTimeout)(1, 'late'), await wait(1, 'v'),
        inspect({ a: [1, { b: new Map([[1, 2]]) }], f() {}, [Symbol('s')]: 1n }, { depth: 5 }), util.format('%s %d %j %o', 'a', 1, { b: 2 }, [1]), types.isDate(new Date()), old.listenerCount('a'),
        path.join('/a', '..', 'b', 'c.txt'), path.parse('/x/y.tar.gz'), querystring.parse('a=1&a=2&b=%20'), querystring.stringify({ a: [1, 2], b: ' ' }), await tried(() => assert.deepStrictEqual({ a: 1 }, { a: 2 })),
        decoder.write(Buffer.from([0xe2, 0x82])) + decoder.write(Buffer.from([0xac])), util.isDeepStrictEqual({ a: [1] }, { a: [1] }), util.types.isPromise(Promise.resolve()), await new Promise((resolve) => finished(Readable.from([]).resume(), (error) => resolve(error ?? 'ended'))),
        Readable.from([1, 2, 3]).map ? await Readable.from([1, 2, 3]).filter((n) => n > 1).map((n) => n * 2).toArray() : null, await tried(() => once(Object.assign(new EventEmitter()), 'x', { signal: AbortSignal.abort() }))];`,
  },
  feedparser: {
    imports: `import FeedParser from 'feedparser'; import { Readable } from 'node:stream'; import http from 'node:http';`,
    body: `
      const parsed = (input) => new Promise((resolve, reject) => {
        const parser = new FeedParser({ addmeta: false }); const items = [];
        parser.on('error', reject).on('readable', () => { for (let item; (item = parser.read());) items.push([item.title, item.guid, item.pubdate, item.categories, item.link]); });
        parser.on('end', () => resolve([parser.meta?.title, items])); input.pipe(parser);
      });
      const answer = await new Promise((resolve, reject) => http.get(origin + '/feed.xml', resolve).on('error', reject));
      return [await parsed(answer), await tried(() => parsed(Readable.from(['no feed'])))];`,
  },
  'moment, dayjs and qs': {
    imports: `import moment from 'moment'; import dayjs from 'dayjs'; import utc from 'dayjs/plugin/utc.js'; import relative from 'dayjs/plugin/relativeTime.js'; import qs from 'qs';`,
    body: `
      dayjs.extend(utc); dayjs.extend(relative);
      return [moment.utc(0).format(), moment.utc('2024-01-31').add(1, 'month').format('LLLL'), moment.duration(90, 'minutes').humanize(), moment.utc('2024-02-30').isValid(), moment('2024-01-01T00:00:00+02:00').toISOString(),
        dayjs.utc(0).add(3, 'day').format('YYYY-MM-DD HH:mm'), dayjs.utc('2024-01-02').diff('2024-01-01', 'hour'), dayjs(0).from(dayjs(86400000)),
        qs.stringify({ a: [1, { b: 2 }], c: null, d: new Date(0) }), qs.parse('a[0]=1&a[1][b]=2&c.d=3', { allowDots: true }), qs.stringify({ a: ['b', 'c'] }, { arrayFormat: 'brackets', encode: false })];`,
  },
  jsonwebtoken: {
    imports: `import jwt from 'jsonwebtoken'; import { createPrivateKey, createPublicKey, generateKeyPairSync } from 'node:crypto';`,
    body: `
      const { privateKey, publicKey } = ${JSON.stringify(keys)};
      const claims = { sub: 'a', iat: 1_700_000_000 };
      const shared = jwt.sign(claims, 'secret', { algorithm: 'HS256' }); const signed = jwt.sign(claims, privateKey, { algorithm: 'RS256', keyid: 'k' });
      const refused = (act) => { try { return act(); } catch (error) { return [error.name, error.message]; } };
      return [shared, jwt.verify(shared, 'secret'), jwt.verify(signed, publicKey, { algorithms: ['RS256'] }), jwt.decode(signed, { complete: true }).header,
        refused(() => jwt.verify(shared, 'other')), refused(() => jwt.verify(jwt.sign({ ...claims, exp: 1_700_000_001 }, 's'), 's')), refused(() => jwt.verify(signed, 'secret')),
        await new Promise((resolve) => jwt.verify(shared, 'secret', (error, value) => resolve(value))), jwt.verify(jwt.sign(claims, createPrivateKey(privateKey), { algorithm: 'PS256' }), createPublicKey(publicKey)).sub,
        (({ privateKey: own, publicKey: shown }) => jwt.verify(jwt.sign(claims, own, { algorithm: 'ES256' }), shown).sub)(generateKeyPairSync('ec', { namedCurve: 'P-256' }))];`,
  },
};
