import { jest } from '@jest/globals';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { IsolatedVmSandbox } from '../../isolated-vm-sandbox.ts';
import { cacheDir, invoke, source } from '../harness.ts';

jest.setTimeout(40_000);

let server: Server;
let port: number;
let sandbox: IsolatedVmSandbox;
let hung = 0;

beforeAll(async () => {
  server = createServer((request, response) => {
    const { method, url = '', headers } = request;
    if (url === '/hang') response.on('close', () => hung++);
    else if (url === '/moved') response.writeHead(302, { location: '/elsewhere' }).end();
    else if (url === '/reset') request.socket.destroy();
    else if (url === '/gzip') response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('unfolded'));
    else if (url === '/slow')
      request.on('end', () => (response.write('a'), setTimeout(() => response.end('b'), 600))).resume();
    else if (url === '/drip')
      for (let n = 1; n <= 8; n++) setTimeout(() => response[n < 8 ? 'write' : 'end']('.'), n * 60);
    else if (url === '/cut')
      response
        .writeHead(200, { 'content-length': 100 })
        .write('cut', () => setTimeout(() => request.socket.destroy(), 50));
    else if (url === '/cut-at-once') request.socket.end('HTTP/1.1 203 Odd\r\ncontent-length: 100\r\n\r\ncut');
    else if (url === '/huge') response.end(Buffer.alloc(11 * 1024 * 1024, 'x'));
    else if (url === '/huge-parts')
      response.writeHead(200).write(Buffer.alloc(6_000_000, 'x'), () => response.end(Buffer.alloc(6_000_000, 'x')));
    else if (url === '/large') response.end(Buffer.alloc(2_000_000, 'x'));
    else {
      let body = '';
      request.on('data', (chunk: Buffer) => (body += chunk.toString()));
      request.on('end', () => {
        response.writeHead(201, 'Made', { 'X-Many': ['a', 'b'], 'Set-Cookie': ['c=1', 'd=2'] });
        response.end(JSON.stringify({ method, url, body, token: headers['x-token'], auth: headers.authorization }));
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  ({ port } = server.address() as AddressInfo);
  sandbox = await IsolatedVmSandbox.start({ runners: 1, cacheDir, egress: { allow: ['127.0.0.0/8'] } });
}, 60_000);
afterAll(async () => {
  await sandbox.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const required = "const http = require('http');";
/** Gathers a response, as packages do. */
const gather = `
  const gather = (request) => new Promise((resolve, reject) => {
    request.on('error', reject);
    request.on('response', (response) => {
      const parts = [];
      response.on('data', (part) => parts.push(part));
      response.on('error', reject);
      response.on('end', () => resolve({ response, text: Buffer.concat(parts).toString() }));
    });
  });`;

let count = 0;
async function valueOf(body: string, before = required): Promise<unknown> {
  const code = source(`const { port } = event; ${body}`, `${before}${gather}`);
  const { end, error, emits } = await invoke(sandbox, code, { sourceId: `dc_http_${++count}`, event: { port } });
  if (end !== 'finished') throw new Error(`${end}: ${error?.stack ?? error?.message}`);
  return emits[0]?.event;
}

test('http.request sends what is written to it, and its answer is a stream with status and headers', async () => {
  const value = await valueOf(`
    const request = http.request({ host: '127.0.0.1', port, path: '/a?b=c', method: 'post', auth: 'u:p', headers: { 'X-Token': 't' } });
    request.write('one '); request.write(Buffer.from('two ')); request.end('three');
    const { response, text } = await gather(request);
    const { statusCode, statusMessage, headers, complete } = response;
    this.$emit({ statusCode, statusMessage, many: headers['x-many'], cookies: headers['set-cookie'], complete, json: JSON.parse(text) });`);
  expect(value).toEqual({
    statusCode: 201,
    statusMessage: 'Made',
    many: 'a, b',
    cookies: ['c=1', 'd=2'],
    complete: true,
    json: { method: 'POST', url: '/a?b=c', body: 'one two three', token: 't', auth: 'Basic dTpw' },
  });
});

test('http.get takes a URL as text or as an object, options and a callback', async () => {
  const value = await valueOf(`
    const text = await gather(http.get('http://127.0.0.1:' + port + '/text'));
    const url = await gather(http.get(new URL('http://127.0.0.1:' + port + '/url'), { headers: { 'x-token': 'o' } }));
    const called = await new Promise((resolve) => http.get({ hostname: '127.0.0.1', port, path: '/called', agent: new http.Agent({ keepAlive: true }) },
      (response) => { response.resume(); response.on('end', () => resolve(response.statusCode)); }));
    this.$emit([JSON.parse(text.text).url, JSON.parse(url.text).token, called]);`);
  expect(value).toEqual(['/text', 'o', 201]);
});

test('streams are piped into requests and out of answers; what comes encoded is decoded', async () => {
  const value = await valueOf(`
    const { Readable, PassThrough } = require('stream');
    const request = http.request('http://127.0.0.1:' + port + '/up', { method: 'PUT' });
    Readable.from([Buffer.from('pi'), Buffer.from('ped')]).pipe(request);
    const up = JSON.parse((await gather(request)).text).body;
    const through = new PassThrough();
    const large = await new Promise((resolve) => {
      let bytes = 0;
      through.on('data', (part) => (bytes += part.length)).on('end', () => resolve(bytes));
      http.get('http://127.0.0.1:' + port + '/large', (response) => response.pipe(through));
    });
    const gzip = await gather(http.get('http://127.0.0.1:' + port + '/gzip'));
    this.$emit([up, large, gzip.text, gzip.response.headers['content-encoding'] ?? null]);`);
  expect(value).toEqual(['piped', 2_000_000, 'unfolded', null]);
});

test('redirects are returned, not followed, and errors are events with the codes of Node', async () => {
  const value = await valueOf(`
    const { response } = await gather(http.get('http://127.0.0.1:' + port + '/moved'));
    const codes = [];
    for (const url of ['http://127.0.0.1:' + port + '/reset', 'http://10.0.0.1/', 'http://127.0.0.1:1/'])
      codes.push(await gather(http.get(url)).catch((error) => error.code));
    this.$emit([response.statusCode, response.headers.location, codes]);`);
  expect(value).toEqual([302, '/elsewhere', ['ECONNRESET', 'ADDRESS_REFUSED', 'ECONNREFUSED']]);
});

test('a request that is aborted or times out closes its connection', async () => {
  const value = await valueOf(`
    const hang = (options) => http.get('http://127.0.0.1:' + port + '/hang', options ?? {});
    const timed = hang({ timeout: 50 });
    timed.on('timeout', () => timed.destroy(new Error('too slow')));
    const controller = new AbortController();
    const aborted = hang({ signal: controller.signal });
    setTimeout(() => controller.abort(), 50);
    const dropped = hang();
    setTimeout(() => dropped.destroy(), 50);
    this.$emit(await Promise.all([timed, aborted, dropped].map((request) => gather(request).catch((error) => [error.code, error.message]))));`);
  expect(value).toEqual([
    [null, 'too slow'],
    ['ABORT_ERR', 'The operation was aborted'],
    ['ECONNRESET', 'socket hang up'],
  ]);
  const late = performance.now() + 10_000;
  while (hung < 3 && performance.now() < late) await new Promise((resolve) => setTimeout(resolve, 5));
  expect(hung).toBe(3);
});

const watch = `
  const watch = (request) => new Promise((resolve) => {
    const seen = [];
    const note = (what) => (error) => seen.push(error ? what + ' ' + error.message : what);
    request.on('timeout', note('timeout')).on('error', note('error'));
    request.on('close', () => setTimeout(() => resolve(seen.join()), 20));
    request.on('response', (response) => response.on('data', (part) => seen.push(String(part))).on('end', note('end'))
      .on('timeout', note('response timeout')).on('aborted', note('aborted')).on('error', note('response error')));
  });
  const url = 'http://127.0.0.1:' + port;`;

test('a timeout counts while nothing comes, also in the middle of a body, and ends nothing by itself', async () => {
  const value = await valueOf(`${watch}
    const later = http.get(url + '/slow');
    later.on('response', (response) => response.setTimeout(200, () => response.emit('data', 'called')));
    const off = http.get(url + '/slow', { timeout: 200 });
    off.setTimeout(0);
    this.$emit(await Promise.all([
      watch(http.get(url + '/slow', { timeout: 200 })),
      watch(http.get(url + '/slow').setTimeout(200)),
      watch(later),
      watch(off),
      watch(http.get(url + '/drip', { timeout: 300 })),
    ]));`);
  const timed = 'a,timeout,response timeout,b,end';
  expect(value).toEqual([timed, timed, 'a,timeout,called,response timeout,b,end', 'a,b,end', `${'.,'.repeat(8)}end`]);
});

test('a request that is destroyed at a timeout aborts its answer, as does its socket', async () => {
  const value = await valueOf(`${watch}
    const ended = (path, end) => {
      const request = http.get(url + path, { timeout: 100 });
      const seen = watch(request);
      request.on('timeout', () => end(request));
      return seen;
    };
    this.$emit(await Promise.all([
      ended('/slow', (request) => request.destroy()),
      ended('/slow', (request) => request.destroy(new Error('mine'))),
      ended('/slow', (request) => request.socket.destroy()),
      ended('/hang', (request) => request.socket.destroy()),
    ]));`);
  const aborted = 'a,timeout,response timeout,aborted';
  expect(value).toEqual([
    `${aborted},response error aborted`,
    'a,timeout,response timeout,error mine,aborted,response error aborted',
    `${aborted},response error aborted`,
    'timeout,error socket hang up',
  ]);
});

test('nothing ends a request whose answer is over: neither its signal nor who destroys it', async () => {
  const value = await valueOf(`${watch}
    const closes = [];
    const counted = (request) => (request.on('close', () => closes.push('request')), request.socket.on('close', () => closes.push('socket')), request);
    const controller = new AbortController();
    const signalled = await watch(counted(http.get(url + '/redone', { signal: controller.signal })));
    controller.abort();
    const late = counted(http.get(url + '/redone'));
    late.on('response', (response) => response.on('close', () => late.destroy(new Error('late'))));
    const destroyed = await watch(late);
    await new Promise((done) => setTimeout(done, 50));
    this.$emit([signalled.endsWith(',end'), destroyed.endsWith(',end'), closes.join()]);`);
  expect(value).toEqual([true, true, 'request,socket,request,socket']);
});

test('an answer that is cut off is aborted, with an error for who listens to it', async () => {
  const value = await valueOf(`${watch}
    const unheard = new Promise((resolve) => http.get(url + '/cut', (response) => {
      const seen = [];
      response.on('data', (part) => seen.push(String(part))).on('aborted', () => seen.push('aborted'));
      response.on('close', () => resolve(seen.join()));
    }));
    this.$emit([await watch(http.get(url + '/cut')), await unheard]);`);
  expect(value).toEqual(['cut,aborted,response error aborted', 'cut,aborted']);
});

test('no timeout counts while the body of a request is written', async () => {
  const value = await valueOf(`${watch}
    const request = http.request(url + '/redone', { method: 'POST', timeout: 300 });
    const seen = watch(request);
    for (let part = 0; part < 5; part++) {
      request.write('part');
      await new Promise((done) => setTimeout(done, 100));
    }
    request.end();
    this.$emit((await seen).includes('timeout'));`);
  expect(value).toBe(false);
});

test('an answer that is cut off right behind its head has a status, as in Node', async () => {
  const value = await valueOf(`
    const statuses = [];
    const failed = await gather(http.get('http://127.0.0.1:' + port + '/cut-at-once', (response) => statuses.push(response.statusCode))).catch(({ code }) => code);
    const response = await fetch('http://127.0.0.1:' + port + '/cut-at-once');
    this.$emit([statuses, failed, response.status, await response.text().catch((error) => error.cause.code)]);`);
  expect(value).toEqual([[203], 'ECONNRESET', 203, 'ECONNRESET']);
});

test('an answer beyond a limit fails with the limit, before it is said to be aborted', async () => {
  const value = await valueOf(`
    const failing = (path) => new Promise((resolve) => {
      const seen = [];
      const request = http.get({ host: '127.0.0.1', port, path }, (response) => {
        response.on('aborted', () => seen.push('aborted')).on('error', ({ code, message }) => seen.push(code, message)).resume();
        response.on('close', () => setTimeout(resolve, 20, seen));
      });
      request.on('error', ({ code, message }) => resolve([code, message]));
    });
    this.$emit([await failing('/huge'), await failing('/huge-parts'), await failing('/cut')]);`);
  const tooLarge = expect.stringMatching(/the answer has more than 10485760 bytes$/);
  expect(value).toEqual([
    ['ERR_LIMIT', tooLarge],
    ['ERR_LIMIT', tooLarge, 'aborted'],
    ['aborted', 'ECONNRESET', 'aborted'],
  ]);
});

test('a limit is told to the request where nobody listens to its answer, as node-fetch does not', async () => {
  const value = await valueOf(
    `
    const failing = (path, listen) => new Promise((resolve) => {
      const seen = [];
      const request = http.get({ host: '127.0.0.1', port, path }, (response) => {
        listen(response).on('close', () => setTimeout(resolve, 20, seen)).pipe(new PassThrough()).resume();
      });
      request.on('error', ({ code, message }) => seen.push(code, message));
    });
    const nobody = (response) => response;
    const somebody = (response) => response.on('error', () => {});
    this.$emit([await failing('/huge-parts', nobody), await failing('/huge-parts', somebody), await failing('/cut', nobody)]);`,
    "const http = require('http'); const { PassThrough } = require('node:stream');",
  );
  expect(value).toEqual([['ERR_LIMIT', expect.stringMatching(/more than 10485760 bytes$/)], [], []]);
});

test('a request takes no agent, and header fields from a map and one after the other', async () => {
  const value = await valueOf(`
    const request = http.request({ host: '127.0.0.1', port, agent: null, headers: { a: '1' } });
    request.setHeaders(new Map([['X-Token', 'm'], ['b', '2']])).appendHeader('A', '3');
    const { text } = await gather(request.end());
    this.$emit([request.getHeader('a'), JSON.parse(text).token]);`);
  expect(value).toEqual([['1', '3'], 'm']);
});

test('a request for a WebSocket fails with the reason, and asks nothing', async () => {
  const value = await valueOf(`
    const headers = { Connection: 'Upgrade', Upgrade: 'websocket', 'Sec-WebSocket-Key': 'a', 'Sec-WebSocket-Version': 13 };
    this.$emit(await gather(http.get({ host: '127.0.0.1', port, headers })).catch((error) => [error.code, error.message]));`);
  expect(value).toEqual(['ERR_NOT_AVAILABLE', expect.stringContaining('they have HTTP, and no sockets')]);
});

test('https can be imported as in Node and uses TLS; servers and other protocols are refused', async () => {
  const value = await valueOf(
    `const failed = await gather(https.request({ host: '127.0.0.1', port, method: 'GET' }).end()).catch((error) => error.code);
    const refusals = [() => https.createServer(), () => https.get('ftp://a.example/'), () => https.get('https://a.example/', { headers: { a: 'b\\r\\nc: d' } })]
      .map((refused) => { try { return refused(); } catch (error) { return error.code ?? error.name; } });
    this.$emit([failed, refusals, https.globalAgent.protocol]);`,
    "const https = require('node:https');",
  );
  expect(value).toEqual([
    expect.stringMatching(/^(EPROTO|ERR_SSL_.*)$/),
    ['ERR_NOT_AVAILABLE', 'ERR_INVALID_PROTOCOL', 'TypeError'],
    'https:',
  ]);
});

test('a request that waits to be told to continue is told so, and sends its body then', async () => {
  const value = await valueOf(`
    const asked = (options) => http.request({ host: '127.0.0.1', port, path: '/up', method: 'PUT', ...options });
    const given = asked({ headers: { Expect: '100-continue' } });
    given.on('continue', () => given.end('given'));
    const set = asked({});
    set.setHeader('expect', '100-continue');
    set.on('continue', () => set.end('set'));
    set.flushHeaders();
    const other = asked({});
    let continued = 0;
    other.on('continue', () => continued++).end('other');
    const bodies = (await Promise.all([given, set, other].map(gather))).map(({ text }) => JSON.parse(text).body);
    this.$emit([...bodies, continued]);`);
  expect(value).toEqual(['given', 'set', 'other', 0]);
});

test('no agent, null and false are all the same', async () => {
  const value = await valueOf(`
    const statuses = [];
    for (const agent of [undefined, null, false])
      statuses.push((await gather(http.get({ host: '127.0.0.1', port, path: '/', agent }))).response.statusCode);
    this.$emit(statuses);`);
  expect(value).toEqual([201, 201, 201]);
});

test('who looks at the socket sees whether an answer was cut off, as node-fetch does', async () => {
  const value = await valueOf(`
    const listening = (path) => new Promise((resolve) => {
      const request = http.get('http://127.0.0.1:' + port + path);
      request.on('response', (response) => response.once('close', () => resolve(request.socket.listenerCount('data'))).resume());
    });
    this.$emit([await listening('/'), await listening('/cut')]);`);
  expect(value).toEqual([0, 1]);
});
