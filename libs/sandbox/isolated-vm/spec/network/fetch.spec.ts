import { jest } from '@jest/globals';
import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { createServer as createTcpServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { IsolatedVmSandbox } from '../../isolated-vm-sandbox.ts';
import { defaultLimits } from '../../sandbox-limits.ts';
import { cacheDir, invoke, source } from '../harness.ts';

const MiB = 1024 * 1024;
jest.setTimeout(40_000);

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

async function read(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString('latin1');
}

const bomb = gzipSync(Buffer.alloc(12 * MiB));
let open = 0;
let openMost = 0;
let closed = 0;

const handlers: Readonly<Record<string, Handler>> = {
  echo: (request, response) =>
    void read(request).then((body) => {
      const { method, url, headers } = request;
      response.writeHead(200, {
        'content-type': 'application/json',
        'x-many': ['a', 'b'],
        'set-cookie': ['c=1', 'd=2'],
      });
      response.end(JSON.stringify({ method, url, headers, body }));
    }),
  moved: (_, response) => response.writeHead(302, { location: '/echo?moved' }).end(),
  loop: (_, response) => response.writeHead(302, { location: '/loop' }).end(),
  metadata: (_, response) => response.writeHead(302, { location: 'http://169.254.169.254/' }).end(),
  large: (_, response) => response.end(Buffer.alloc(9 * MiB, 'x')),
  middling: (_, response) => response.end(Buffer.alloc(100_000, 'x')),
  announced: (_, response) => response.writeHead(200, { 'content-length': 50 * MiB }).flushHeaders(),
  odd: (_, response) => response.writeHead(999).end('denied'),
  bomb: (_, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb),
  chunks: (_, response) => {
    let count = 0;
    const timer = setInterval(
      () => (++count > 3 ? (clearInterval(timer), response.end()) : response.write(`${count};`)),
      40,
    );
  },
  drip: (_, response) => {
    const timer = setInterval(() => response.write('.'), 5);
    response.on('close', () => {
      clearInterval(timer);
      closed++;
    });
  },
  never: () => {},
  busy: (_, response) => {
    openMost = Math.max(openMost, ++open);
    setTimeout(() => {
      open--;
      response.end('ok');
    }, 10);
  },
};

let server: Server;
let origin: string;
let sandbox: IsolatedVmSandbox;
let hasty: IsolatedVmSandbox;

beforeAll(async () => {
  server = createServer((request, response) => {
    const handler = handlers[new URL(request.url ?? '/', 'http://a').pathname.slice(1)];
    if (handler === undefined) response.writeHead(404).end();
    else handler(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const network = { ...defaultLimits.network, runBytes: 20 * MiB, listedMax: 5 };
  const egress = { allow: ['127.0.0.0/8'] };
  sandbox = await IsolatedVmSandbox.start({ runners: 1, cacheDir, egress, limits: { network } });
  hasty = await IsolatedVmSandbox.start({
    runners: 1,
    cacheDir,
    egress,
    limits: { network: { ...network, timeoutMs: 1_000 } },
  });
}, 60_000);
afterAll(async () => {
  await sandbox.close();
  await hasty.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

let count = 0;
const run = (body: string, options: { by?: IsolatedVmSandbox; secrets?: string[] } = {}) =>
  invoke(options.by ?? sandbox, source(`const origin = event.origin; ${body}`), {
    sourceId: `dc_fetch_${++count}`,
    event: { origin },
    secrets: options.secrets ?? [],
  });

/** The first event that the body emits. */
async function valueOf(body: string, by = sandbox): Promise<unknown> {
  const { end, error, emits } = await run(body, { by });
  if (end !== 'finished') throw new Error(`${end}: ${error?.stack ?? error?.message}`);
  return emits[0]?.event;
}

/** The error with which the body's promise rejects. */
const refusal = (body: string, by = sandbox): Promise<unknown> =>
  valueOf(
    `try { ${body}; this.$emit('answered'); } catch (error) {
    this.$emit({ name: error.name, message: error.message, code: error.cause?.code ?? error.code ?? null });
  }`,
    by,
  );

test('a request is sent with its method, headers and body, and its answer is returned', async () => {
  const answer = await valueOf(`
    const response = await fetch(origin + '/echo?a=1', {
      method: 'post', headers: { 'X-Token': 't', 'content-type': 'application/json' }, body: JSON.stringify({ n: 1 }),
    });
    const { status, ok, url, redirected } = response;
    this.$emit({ status, ok, url, redirected, type: response.headers.get('content-type'), many: response.headers.get('X-Many'),
      cookies: response.headers.getSetCookie(), json: await response.json() });`);
  expect(answer).toMatchObject({
    status: 200,
    ok: true,
    url: `${origin}/echo?a=1`,
    redirected: false,
    type: 'application/json',
    many: 'a, b',
    cookies: ['c=1', 'd=2'],
    json: { method: 'POST', url: '/echo?a=1', body: '{"n":1}', headers: { 'x-token': 't', accept: '*/*' } },
  });
});

test('bodies can be text, forms, files, bytes and streams', async () => {
  const answer = (await valueOf(`
    const send = async (body) => (await fetch(origin + '/echo', { method: 'PUT', body })).json();
    const form = new FormData();
    form.set('field', 'a value');
    form.append('file', new Blob(['content'], { type: 'text/plain' }), 'f.txt');
    const stream = new ReadableStream({ start(c) { c.enqueue(new TextEncoder().encode('str')); c.enqueue(Buffer.from('eam')); c.close(); } });
    const all = [new URLSearchParams({ q: 'a b' }), form, new Uint8Array([65, 66]), Buffer.from('pooled'), stream, 'text', null];
    const got = [];
    for (const body of all) { const { headers, body: text } = await send(body); got.push([headers['content-type'] ?? null, text]); }
    this.$emit(got);`)) as [string | null, string][];
  const [params, form, ...others] = answer;
  expect(params).toEqual(['application/x-www-form-urlencoded;charset=UTF-8', 'q=a+b']);
  expect(form?.[0]).toMatch(/^multipart\/form-data; boundary=/);
  expect(form?.[1]).toMatch(
    /name="field"\r\n\r\na value\r\n[^]*filename="f.txt"\r\nContent-Type: text\/plain\r\n\r\ncontent\r\n/,
  );
  expect(others).toEqual([
    [null, 'AB'],
    [null, 'pooled'],
    [null, 'stream'],
    ['text/plain;charset=UTF-8', 'text'],
    [null, ''],
  ]);
});

test('answers are read as text, bytes, blobs and streams, also large ones, and only once', async () => {
  const answer = await valueOf(`
    const large = await (await fetch(origin + '/large')).arrayBuffer();
    const parts = [];
    const chunked = await fetch(origin + '/chunks');
    for await (const part of chunked.body) parts.push(new TextDecoder().decode(part));
    const blob = await (await fetch(origin + '/busy')).blob();
    const twice = await fetch(origin + '/busy');
    const copy = twice.clone();
    const texts = [await twice.text(), await copy.text()];
    const again = [];
    const partly = new Response(new Blob(['a', 'b']));
    const reader = partly.body.getReader(); await reader.read(); reader.releaseLock();
    const fresh = new Response('fresh'); fresh.body;
    for (const read of [twice, chunked, partly, fresh]) again.push([read.bodyUsed, await read.text().catch((error) => error.message)]);
    this.$emit({ large: large.byteLength, parts: parts.join(''), many: parts.length > 1, blob: blob.size, texts, again });`);
  const used = [true, 'Body is unusable: Body has already been read'];
  expect(answer).toEqual({
    large: 9 * MiB,
    parts: '1;2;3;',
    many: true,
    blob: 2,
    texts: ['ok', 'ok'],
    again: [used, used, used, [false, 'fresh']],
  });
});

test('redirects are followed unless set to manual, and are listed in the run without paths', async () => {
  const { emits, requests } = await run(`
    const followed = await fetch(origin + '/moved?token=1');
    const manual = await fetch(origin + '/moved', { redirect: 'manual' });
    this.$emit([followed.redirected, followed.url, manual.status, manual.headers.get('location')]);`);
  expect(emits[0]?.event).toEqual([true, `${origin}/echo?moved`, 302, '/echo?moved']);
  const { host } = new URL(origin);
  const hop = { method: 'GET', host, durationMs: expect.any(Number) };
  const list = [302, 200, 302].map((status) => ({ ...hop, status }));
  expect(requests).toEqual({ count: 3, list });
});

test.each([
  ['a private address', "await fetch('http://10.0.0.1/')", /not public/, 'ADDRESS_REFUSED'],
  ['a redirect to one', "await fetch(origin + '/metadata')", /not public/, 'ADDRESS_REFUSED'],
  ['a redirect loop', "await fetch(origin + '/loop')", /more than 20 redirects/, 'ERR_TOO_MANY_REDIRECTS'],
  ['an answer that announces too much', "await fetch(origin + '/announced')", /10485760 bytes/, 'ERR_LIMIT'],
  ['an answer that decodes to too much', "await (await fetch(origin + '/bomb')).text()", /10485760 bytes/, 'ERR_LIMIT'],
  ['a header with a line break', "await fetch(origin, { headers: { a: 'b\\r\\nc: d' } })", /header a/, null],
  ['a method that makes tunnels', "await fetch(origin, { method: 'CONNECT' })", /not a valid HTTP method/, null],
  ['credentials in the URL', "await fetch('http://user:pass@a.example/')", /includes credentials/, null],
  ['another scheme', "await fetch('file:///etc/passwd')", /Only http and https/, 'ERR_INVALID_REQUEST'],
  [
    'too large a body',
    "await fetch(origin, { method: 'POST', body: new Uint8Array(11e6) })",
    /10485760 are allowed/,
    'ERR_LIMIT',
  ],
  [
    'what takes too long for the asker',
    "await fetch(origin + '/drip', { signal: AbortSignal.timeout(30) }).then((r) => r.text())",
    /timeout/,
    23,
  ],
])('%s is refused, and says why', async (_, body, message, code) => {
  expect(await refusal(body)).toMatchObject({ message: expect.stringMatching(message), code });
});

test('a request whose body is too large fails as every request does', async () => {
  const value = await valueOf(`
    const error = await fetch(origin, { method: 'POST', body: new Uint8Array(11e6) }).catch((failed) => failed);
    this.$emit([error instanceof TypeError, error.cause.code, error.message]);`);
  expect(value).toEqual([true, 'ERR_LIMIT', expect.stringMatching(/^fetch failed: The body has 11000000 bytes/)]);
});

test('what reads an answer gets the reason of the signal that aborts it, before its head and after', async () => {
  const value = await valueOf(`
    const reasonOf = async (path, signal, read) => {
      const error = await fetch(origin + path, { signal }).then(read).catch((failed) => failed);
      return [error === signal.reason, error.name ?? error];
    };
    const soon = (reason) => {
      const controller = new AbortController();
      setTimeout(() => controller.abort(reason), 60);
      return controller.signal;
    };
    const eachChunk = async ({ body }) => { for await (const chunk of body); };
    this.$emit(await Promise.all([
      reasonOf('/drip', AbortSignal.timeout(60), (answer) => answer.text()),
      reasonOf('/drip', soon(), (answer) => answer.json()),
      reasonOf('/drip', soon('mine'), eachChunk),
      reasonOf('/drip', soon(Object.assign(new Error('own'), { code: 'OWN', name: 'Own' })), (answer) => answer.blob()),
      reasonOf('/never', soon(), (answer) => answer.text()),
    ]));`);
  expect(value).toEqual([
    [true, 'TimeoutError'],
    [true, 'AbortError'],
    [true, 'mine'],
    [true, 'Own'],
    [true, 'AbortError'],
  ]);
});

test('a thousand concurrent requests are sent a few at a time, and all are answered', async () => {
  const { end, emits, requests } = await run(`
    const texts = await Promise.all(Array.from({ length: 1_000 }, async () => (await fetch(origin + '/busy')).text()));
    this.$emit(texts.filter((text) => text === 'ok').length);`);
  expect({ end, emitted: emits[0]?.event }).toEqual({ end: 'finished', emitted: 1_000 });
  expect(openMost).toBeLessThanOrEqual(32);
  expect(requests).toMatchObject({ count: 1_000, list: { length: 5 } });
}, 30_000);

test('answers that nobody reads, or reads later, keep no other request waiting for long', async () => {
  const answer = await valueOf(`
    const ask = () => fetch(origin + '/middling');
    let answered = 0;
    for (let n = 0; n < 40; n++) answered += (await ask()).ok ? 1 : 0;
    const together = await Promise.all(Array.from({ length: 40 }, ask));
    const texts = await Promise.all(together.map((response) => response.text()));
    this.$emit([answered, texts.length, [...new Set(texts.map(({ length }) => length))]]);`);
  expect(answer).toEqual([40, 40, [100_000]]);
});

test('an answer may have a status that a Response of a component may not, as in Node', async () => {
  const answer = await valueOf(`
    const { status, ok, type } = await fetch(origin + '/odd');
    const made = new Response('').clone().type;
    const copy = (await fetch(origin + '/odd')).clone();
    try { new Response('', { status: 999 }); } catch (error) {
      this.$emit([status, ok, type, made, copy.status, await copy.text(), error.message]);
    }`);
  expect(answer).toEqual([999, false, 'basic', 'default', 999, 'denied', 'status must be from 200 to 599']);
});

test('the total of what a run sends and receives is bounded', async () => {
  const answer = await refusal("for (let n = 0; n < 3; n++) await (await fetch(origin + '/large')).arrayBuffer()");
  expect(answer).toMatchObject({ code: 'ERR_LIMIT', message: expect.stringContaining('One run may') });
});

test('a request that a run leaves open ends with it', async () => {
  const before = closed;
  const { end, requests } = await run("await fetch(origin + '/drip');");
  expect({ end, requests }).toMatchObject({ end: 'finished', requests: { count: 1, list: [{ status: 200 }] } });
  const late = Date.now() + 5_000;
  while (closed === before && Date.now() < late) await new Promise((resolve) => setTimeout(resolve, 5));
  expect(closed).toBe(before + 1);
});

test('connections that ended runs left opening stay counted until they end, for their own source only', async () => {
  const silent = createTcpServer((socket) => void socket.on('error', () => {}));
  const sockets: Socket[] = [];
  silent.on('connection', (socket) => sockets.push(socket));
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  const event = { origin, silent: `https://127.0.0.1:${(silent.address() as AddressInfo).port}` };
  const leave = source(`
    const asked = fetch(event.silent, { method: 'POST', body: new Uint8Array(9 * 1024 * 1024) });
    const refused = asked.catch((error) => this.$emit(error.cause?.code ?? error.code));
    await Promise.race([refused, new Promise((go) => setTimeout(go, event.waitMs))]);`);
  /** Runs for long enough that the request is connecting, or until it is refused. */
  const leaving = async (sourceId: string, waitMs = 200): Promise<unknown> =>
    (await invoke(sandbox, leave, { sourceId, event: { ...event, waitMs } })).emits[0]?.event;
  expect(await leaving('dc_leaving')).toBeUndefined();
  expect(await leaving('dc_leaving', 10_000)).toBe('ERR_BUSY');
  expect(await leaving('dc_other')).toBeUndefined();
  const late = Date.now() + 5_000;
  let code: unknown = 'ERR_BUSY';
  while (code === 'ERR_BUSY' && Date.now() < late) {
    for (const socket of sockets.splice(0)) socket.destroy();
    code = await leaving('dc_leaving');
  }
  expect(code).toBeUndefined();
  for (const socket of sockets) socket.destroy();
  await new Promise((resolve) => silent.close(resolve));
});

test('a server that sends bit by bit is given up at the time limit, and uses no processor time', async () => {
  const drip = source(
    `try { await (await fetch(event.origin + '/drip')).text(); } catch (error) { this.$emit(error.message); }`,
  );
  const { end, emits, durationMs, cpuMs } = await invoke(hasty, drip, { event: { origin } });
  expect({ end, said: emits[0]?.event }).toEqual({ end: 'finished', said: expect.stringContaining('within 1 s') });
  expect(durationMs).toBeGreaterThan(900);
  expect(cpuMs).toBeLessThan(500);
});

test('neither errors nor runs show a secret, and a component cannot send requests while it loads', async () => {
  const secret = 'sk-very-secret';
  const shown = await run(`await fetch('http://${secret}.invalid/' + '${secret}');`, { secrets: [secret] });
  expect(shown).toMatchObject({ end: 'threw', requests: { list: [{ host: '[secret].invalid', status: null }] } });
  expect(JSON.stringify(shown)).not.toContain(secret);
  const loading = await invoke(
    sandbox,
    source('this.$emit(await early)', `const early = fetch('${origin}').catch((error) => error.message);`),
  );
  expect(loading.emits[0]?.event).toMatch(/not while the component loads/);
});

test('a private address is not reached unless its range is allowed', async () => {
  const { end, error, requests } = await run("await fetch('http://10.0.0.1/');");
  expect({ end, message: error?.message }).toEqual({ end: 'threw', message: expect.stringContaining('not public') });
  expect(requests).toMatchObject({ count: 1, list: [{ status: null }] });
});
