import { jest } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { EgressGuard } from '../guard.ts';
import { OriginPools } from '../pools.ts';
import type { Hop } from './exchange.ts';
import type { RequestFailure } from './request-failure.ts';
import type { Field, OutgoingRequest } from './outgoing-request.ts';
import { Requester } from './requester.ts';

const MiB = 1024 * 1024;
const bounds = { timeoutMs: 30_000, answerBytes: 10 * MiB, redirectsMax: 20 };

jest.setTimeout(30_000);

type Handler = (request: IncomingMessage, response: ServerResponse) => void;
const handlers: Record<string, Handler> = {};
let server: Server;
let other: Server;
let origin: string;
let elsewhere: string;
let pools: OriginPools;

const handle: Handler = (request, response) => {
  const handler = handlers[new URL(request.url ?? '/', 'http://a').pathname.split('/')[1] ?? ''];
  if (handler === undefined) response.writeHead(404).end();
  else handler(request, response);
};

async function listen(): Promise<[Server, string]> {
  const created = createServer(handle);
  await new Promise<void>((resolve) => created.listen(0, '127.0.0.1', resolve));
  return [created, `http://127.0.0.1:${(created.address() as AddressInfo).port}`];
}

beforeAll(async () => {
  [server, origin] = await listen();
  [other, elsewhere] = await listen();
  pools = new OriginPools(new EgressGuard(['127.0.0.0/8']));
});
afterAll(async () => {
  await pools.close(0);
  for (const one of [server, other]) {
    one.closeAllConnections();
    await new Promise((resolve) => one.close(resolve));
  }
});

interface AskResult {
  readonly status: number;
  readonly body: Buffer;
  readonly headers: Readonly<Record<string, string>>;
  readonly url: string;
  readonly hops: readonly Hop[];
}

const get = (url: string, more: Partial<OutgoingRequest> = {}): OutgoingRequest => ({
  method: 'GET',
  url,
  headers: [],
  body: undefined,
  redirect: 'follow',
  ...more,
});

const noCount = (_bytes: number): undefined => undefined;

async function ask(
  request: OutgoingRequest,
  { limits = bounds, signal = new AbortController().signal, by = pools, hops = [] as Hop[], count = noCount } = {},
): Promise<AskResult> {
  const context = { signal, onHop: (hop: Hop) => void hops.push(hop), count };
  const answer = await new Requester(by, limits).send(request, context);
  const parts = [answer.firstPart.bytes];
  for (let { isLast } = answer.firstPart; !isLast;) {
    const part = await answer.next();
    parts.push(part.bytes);
    isLast = part.isLast;
  }
  const headers = Object.fromEntries(answer.head.headers.map(([name, value]) => [name.toLowerCase(), value]));
  return { status: answer.head.status, url: answer.head.url, body: Buffer.concat(parts), headers, hops };
}

const failureOf = (request: OutgoingRequest, options: Parameters<typeof ask>[1] = {}): Promise<unknown> =>
  ask(request, options).then(
    () => 'answered',
    (error: unknown) => error,
  );

test('an answer has its headers, its whole body and one hop', async () => {
  handlers['plain'] = (request, response) => response.writeHead(201, { 'x-a': 'b' }).end(request.headers['x-sent']);
  const result = await ask(get(`${origin}/plain?secret=1`, { headers: [['x-sent', 'hello']] }));
  expect(result).toMatchObject({ status: 201, headers: { 'x-a': 'b' } });
  expect(result.body.toString()).toBe('hello');
  expect(result.hops).toEqual([
    { method: 'GET', host: new URL(origin).host, status: 201, durationMs: expect.any(Number) },
  ]);
});

test('a path is sent as it is given, and to where a redirect leads no more', async () => {
  const seen: (string | undefined)[] = [];
  handlers['raw'] = ({ url }, response) => {
    seen.push(url);
    if (seen.length === 1) response.writeHead(302, { location: '/raw/next' });
    response.end();
  };
  const path = "/raw/it's/../a?q='b'|{c}";
  expect(await ask(get(`${origin}/raw`, { path }))).toMatchObject({ status: 200, url: `${origin}/raw/next` });
  expect(seen).toEqual([path, '/raw/next']);
  for (const wrong of ['raw', '/a b', '/a\r\nb: c', 'ftp://a.example/'])
    expect(await failureOf(get(`${origin}/raw`, { path: wrong }))).toMatchObject({ code: 'ERR_INVALID_REQUEST' });
});

test('an answer that breaks off right behind its head has its status all the same', async () => {
  handlers['broken'] = ({ socket }) => socket.end('HTTP/1.1 203 Odd\r\ncontent-length: 100\r\n\r\ncut');
  const hops: Hop[] = [];
  const context = { signal: new AbortController().signal, onHop: (hop: Hop) => void hops.push(hop), count: noCount };
  const answer = await new Requester(pools, bounds).send(get(`${origin}/broken`), context);
  expect(answer.head).toMatchObject({ status: 203, statusText: 'Odd' });
  expect(answer.firstPart.isLast).toBe(false);
  await expect(answer.failure).resolves.toMatchObject({ code: 'ECONNRESET' });
  await expect(answer.next()).rejects.toMatchObject({ code: 'ECONNRESET' });
  expect(hops).toMatchObject([{ status: 203 }]);
});

test('bodies are sent whole, and the caller cannot set headers of the transport', async () => {
  let seen: IncomingMessage['headers'] = {};
  handlers['echo'] = (request, response) => {
    seen = request.headers;
    request.pipe(response);
  };
  const body = Buffer.alloc(3 * MiB, 'a');
  const headers = [
    ['Host', 'internal.example'],
    ['Content-Length', '3'],
    ['Transfer-Encoding', 'chunked'],
    ['Connection', 'upgrade'],
    ['Upgrade', 'websocket'],
    ['Expect', '100-continue'],
  ] as const;
  const result = await ask(get(`${origin}/echo`, { method: 'POST', headers, body }));
  expect(result.body.equals(body)).toBe(true);
  expect(seen).toMatchObject({ host: new URL(origin).host, 'content-length': String(body.length) });
  expect(seen).not.toHaveProperty('upgrade');
});

test.each([
  ['gzip', gzipSync],
  ['br', brotliCompressSync],
  ['deflate', deflateSync],
  ['deflate', deflateRawSync],
])('a body encoded as %s is decoded, and content-encoding is removed', async (encoding, encode) => {
  handlers['encoded'] = (_, response) =>
    response.writeHead(200, { 'content-encoding': encoding }).end(encode('x'.repeat(200_000)));
  const result = await ask(get(`${origin}/encoded`));
  expect(result.body.toString()).toBe('x'.repeat(200_000));
  expect(result.headers).not.toHaveProperty('content-encoding');
});

test('too large an answer is refused by its content-length, its bytes or its decoded size', async () => {
  handlers['announced'] = (_, response) => response.writeHead(200, { 'content-length': 50 * MiB }).flushHeaders();
  handlers['endless'] = (_, response) => {
    const chunk = Buffer.alloc(MiB);
    const write = (): void => void (response.write(chunk) ? setImmediate(write) : response.once('drain', write));
    write();
  };
  const bomb = gzipSync(Buffer.alloc(64 * MiB));
  handlers['bomb'] = (_, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb);
  for (const path of ['announced', 'endless', 'bomb']) {
    const error = await failureOf(get(`${origin}/${path}`));
    expect(error).toMatchObject({ code: 'ERR_LIMIT', message: expect.stringContaining(`${10 * MiB} bytes`) });
  }
});

test('received and decoded bytes both count, each once', async () => {
  const gzipHeader = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3]);
  const emptyBlocks = Buffer.alloc(MiB - (MiB % 5), Buffer.from([0, 0, 0, 0xff, 0xff]));
  handlers['hollow'] = (_, response) => {
    response.writeHead(200, { 'content-encoding': 'gzip' }).write(gzipHeader);
    const write = (): void => {
      if (response.destroyed) return;
      if (response.write(emptyBlocks)) setImmediate(write);
      else response.once('drain', write);
    };
    write();
  };
  let counted = 0;
  const count = (bytes: number): undefined => void (counted += bytes);
  expect(await failureOf(get(`${origin}/hollow`), { count })).toMatchObject({
    code: 'ERR_LIMIT',
    message: expect.stringContaining(`${10 * MiB} bytes`),
  });
  expect(counted).toBeGreaterThan(9 * MiB);
  expect(counted).toBeLessThanOrEqual(10 * MiB);

  const random = randomBytes(200_000);
  const encoded = gzipSync(random);
  handlers['random'] = (_, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(encoded);
  counted = 0;
  const { body } = await ask(get(`${origin}/random`), { count });
  expect(body.equals(random)).toBe(true);
  expect(counted).toBe(encoded.length);
});

test('a body that is encoded twice is not decoded', async () => {
  const twice = gzipSync(gzipSync('text'));
  handlers['twice'] = (_, response) => response.writeHead(200, { 'content-encoding': 'gzip, gzip' }).end(twice);
  const { body, headers } = await ask(get(`${origin}/twice`));
  expect(body.equals(twice)).toBe(true);
  expect(headers).toMatchObject({ 'content-encoding': 'gzip, gzip' });
});

test('a server that sends forever bit by bit is given up at the time limit, whether or not anyone reads', async () => {
  let closed = 0;
  handlers['drip'] = (_, response) => {
    const timer = setInterval(() => response.write('.'), 5);
    response.on('close', () => {
      clearInterval(timer);
      closed++;
    });
  };
  handlers['silent'] = (_, response) => void response.on('close', () => closed++);
  const limits = { ...bounds, timeoutMs: 500 };
  const late = { code: 'ETIMEDOUT', message: expect.stringContaining('no whole answer within 0.5 s') };
  expect(await failureOf(get(`${origin}/drip`), { limits })).toMatchObject(late);
  expect(await failureOf(get(`${origin}/silent`), { limits })).toMatchObject(late);
  const context = { signal: new AbortController().signal, onHop: () => {}, count: () => undefined };
  const unread = new Requester(pools, limits).send(get(`${origin}/drip`), context).then((answer) => answer.failure);
  expect(await unread.catch((error: unknown) => error)).toMatchObject(late);
  while (closed < 3) await new Promise((resolve) => setTimeout(resolve, 5));
});

test('a redirect may have bytes of UTF-8 in its URL, and the URL of an answer has no fragment', async () => {
  const paths: (string | undefined)[] = [];
  handlers['raw'] = (_, response) =>
    response.writeHead(302, { location: Buffer.from('/named/é?ü#there').toString('latin1') }).end();
  handlers['named'] = (request, response) => {
    paths.push(request.url);
    response.end();
  };
  const redirected = await ask(get(`${origin}/raw#here`));
  const direct = await ask(get(`${origin}/named/%C3%A9#here`));
  expect(paths).toEqual(['/named/%C3%A9?%C3%BC', '/named/%C3%A9']);
  expect([redirected.url, direct.url]).toEqual(paths.map((path) => `${origin}${path}`));
});

test('redirects are followed hop by hop; credentials are not sent to another origin', async () => {
  const seen: [string | undefined, unknown, unknown][] = [];
  handlers['away'] = (_, response) => response.writeHead(302, { location: `${elsewhere}/end` }).end('moved');
  handlers['end'] = (request, response) => {
    seen.push([request.method, request.headers.authorization, request.headers['x-kept']]);
    response.end('there');
  };
  handlers['here'] = (_, response) => response.writeHead(307, { location: 'end' }).end();
  const headers = [
    ['Authorization', 'Bearer secret'],
    ['x-kept', 'yes'],
  ] as const;
  const posted = { method: 'POST', headers, body: Buffer.from('b') };
  const result = await ask(get(`${origin}/away`, posted));
  expect(result).toMatchObject({ status: 200, url: `${elsewhere}/end` });
  expect(result.hops.map(({ host, status, method }) => [method, host, status])).toEqual([
    ['POST', new URL(origin).host, 302],
    ['GET', new URL(elsewhere).host, 200],
  ]);
  await ask(get(`${origin}/here`, posted));
  expect(seen).toEqual([
    ['GET', undefined, 'yes'],
    ['POST', 'Bearer secret', 'yes'],
  ]);
  expect(await ask(get(`${origin}/away`, { redirect: 'manual' }))).toMatchObject({ status: 302 });
  expect(await failureOf(get(`${origin}/away`, { redirect: 'error' }))).toMatchObject({ code: 'ERR_REDIRECT' });
});

test('no field with credentials is sent to another origin, however it is written, nor one about a body that is lost', async () => {
  let seen: IncomingMessage['headers'] = {};
  handlers['moved'] = (_, response) => response.writeHead(303, { location: `${elsewhere}/fields` }).end();
  handlers['fields'] = (request, response) => {
    seen = request.headers;
    response.end();
  };
  const fields = (names: string): Field[] => names.split(' ').map((name) => [name, 'x']);
  const credentials = fields('Authorization COOKIE Proxy-Authorization');
  const ofBody = fields('Content-Encoding content-language Content-Location Content-Type');
  const headers = [...credentials, ...ofBody, ['X-Kept', 'x']] as const;
  await ask(get(`${origin}/moved`, { method: 'POST', headers, body: Buffer.from('b') }));
  expect(Object.keys(seen).toSorted()).toEqual(['connection', 'host', 'x-kept']);
});

test.each([
  [301, 'POST', 'GET', ''],
  [302, 'PUT', 'PUT', 'b'],
  [303, 'PUT', 'GET', ''],
  [303, 'HEAD', 'HEAD', ''],
  [307, 'POST', 'POST', 'b'],
  [308, 'POST', 'POST', 'b'],
])('a redirect by %i makes of %s a %s with the body %j', async (status, method, asked, body) => {
  let seen: unknown;
  handlers['first'] = (_, response) => response.writeHead(status, { location: '/second' }).end();
  handlers['second'] = (request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      seen = [request.method, Buffer.concat(parts).toString()];
      response.end();
    });
  };
  const sent = method === 'HEAD' ? {} : { body: Buffer.from('b') };
  expect(await ask(get(`${origin}/first`, { method, ...sent }))).toMatchObject({ url: `${origin}/second` });
  expect(seen).toEqual([asked, body]);
});

test.each<[string, Partial<OutgoingRequest>]>([
  ['a user in its URL', { url: 'http://user@127.0.0.1:1/' }],
  ['a password in its URL', { url: 'http://:pass@127.0.0.1:1/' }],
  ['another scheme', { url: 'file:///etc/passwd' }],
  ['a line break in a field', { headers: [['x', 'a\r\nhost: b']] }],
  ['a line break in the name of a field', { headers: [['x\r\nhost', 'b']] }],
  ['a space in the name of a field', { headers: [['x ', 'b']] }],
  ['more than 32 KiB of fields', { headers: [['x', 'a'.repeat(32 * 1024)]] }],
  ['more than 32 KiB of names of fields', { headers: [['x'.repeat(32 * 1024), 'a']] }],
  ['a method of many letters', { method: 'A'.repeat(33) }],
  ['a method with a space', { method: 'GET /' }],
  ['CONNECT', { method: 'connect' }],
  ['TRACE', { method: 'Trace' }],
  ['a path with a line break', { path: '/\r\nhost: b' }],
  ['a path that does not begin at the root', { path: 'a' }],
])('a request with %s is refused before anything is sent', async (_what, more) => {
  const hops: Hop[] = [];
  expect(await failureOf(get(`${origin}/end`, more), { hops })).toMatchObject({ code: 'ERR_INVALID_REQUEST' });
  expect(hops).toEqual([]);
});

test('redirects in a loop, to a URL that is not HTTP, or to a private address are refused', async () => {
  handlers['loop'] = (_, response) => response.writeHead(301, { location: '/loop' }).end();
  handlers['file'] = (_, response) => response.writeHead(301, { location: 'file:///etc/passwd' }).end();
  handlers['metadata'] = (_, response) => response.writeHead(301, { location: 'http://169.254.169.254/latest' }).end();
  const hops: Hop[] = [];
  expect(await failureOf(get(`${origin}/loop`), { hops })).toMatchObject({ code: 'ERR_TOO_MANY_REDIRECTS' });
  expect(hops).toHaveLength(21);
  expect(await failureOf(get(`${origin}/file`))).toMatchObject({ code: 'ERR_REDIRECT' });
  const refused = (await failureOf(get(`${origin}/metadata`))) as RequestFailure;
  expect(refused).toMatchObject({ code: 'ADDRESS_REFUSED', message: expect.stringContaining('not public') });
});

test('a private address is refused, also by name, without revealing what the name resolves to', async () => {
  const guard = new EgressGuard(
    [],
    {},
    {
      resolve: (_, done) => setImmediate(done, null, [{ address: '10.1.2.3', family: 4 }]),
    },
  );
  const by = new OriginPools(guard);
  expect(await failureOf(get(origin), { by })).toMatchObject({ code: 'ADDRESS_REFUSED' });
  const named = (await failureOf(get('http://intranet.example/path?token=1'), { by })) as RequestFailure;
  expect(named.message).toBe('intranet.example leads to an address that is not public and may not be reached');
  await by.close(0);
});

test('an aborted request rejects with the given reason, and the connection is closed', async () => {
  const gone = new Promise<void>((resolve) => {
    handlers['hang'] = (_, response) => void response.on('close', resolve);
  });
  const controller = new AbortController();
  const reason = new Error('enough');
  const failure = failureOf(get(`${origin}/hang`), { signal: controller.signal });
  setTimeout(() => controller.abort(reason), 50);
  expect(await failure).toBe(reason);
  await gone;
});

test('a silent server and one that does not speak HTTP are reported by host name alone', async () => {
  const [closed, address] = await listen();
  await new Promise((resolve) => closed.close(resolve));
  const { host } = new URL(address);
  expect(await failureOf(get(`${address}/p?token=1`))).toMatchObject({
    code: 'ECONNREFUSED',
    message: `${host} refuses connections`,
  });
  handlers['reset'] = (request) => void request.socket.destroy();
  expect(await failureOf(get(`${origin}/reset`))).toMatchObject({ code: 'ECONNRESET' });
});

test('a proxy that opens no tunnel is reported with what it answers, by host name alone', async () => {
  const [refusing, address] = await listen();
  refusing.on('connect', (_request, socket) => void socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n'));
  const proxy = { host: '127.0.0.1', port: Number(new URL(address).port) };
  const proxied = new OriginPools(new EgressGuard([], {}, {}, proxy));
  expect(await failureOf(get('https://shop.example/p?token=1'), { by: proxied })).toMatchObject({
    code: 'ERR_PROXY',
    message: 'shop.example is not reached through the proxy: it answers 502',
  });
  await proxied.close(0);
  await new Promise((resolve) => refusing.close(resolve));
});
