import { once } from 'node:events';
import { gzipSync } from 'node:zlib';
import { connect } from 'node:net';
import type { AddressInfo } from 'node:net';
import { jest } from '@jest/globals';
import type { HttpRequestData } from '../../../domain/component/http/request-data.ts';
import type { Trigger } from '../../../domain/source/messages.ts';
import { PortError } from '../../../domain/port-error.ts';
import type { FakeCall } from '../../../sandbox/sandbox.fake.ts';
import { everyGateway } from '../../../log/log.ts';
import { TestBed } from '../test-bed.fake.ts';
import type { Answer, TestRequest } from '../test-bed.fake.ts';

const manifest = (customResponse: boolean) => ({
  name: 'Endpoint',
  version: '0.0.1',
  type: 'source' as const,
  props: [{ name: 'http', type: '$.interface.http', customResponse }],
  hooks: [],
  methods: [],
  additionalProps: false,
});

/** What the component with the custom response does next. */
let answering: (call: FakeCall) => void | Promise<void> = () => {};

let bed: TestBed;
const paths = { plain: '', custom: '' };
const ids = { plain: '', custom: '' };
beforeAll(async () => {
  bed = await TestBed.start();
  bed.components.set('plain', { manifest: manifest(false) });
  bed.components.set('custom', { manifest: manifest(true), run: (call) => answering(call) });
  for (const name of ['plain', 'custom'] as const) {
    const { body } = await bed.call('POST', '/v1/sources', { body: { component_code: name } });
    const source = body.data as { id: string; configured_props: { http: { endpoint_url: string } } };
    paths[name] = new URL(source.configured_props.http.endpoint_url).pathname;
    ids[name] = source.id;
  }
});
afterAll(() => bed?.stop());

const post = (path: string, asked: TestRequest = {}): Promise<Answer> => bed.send('POST', path, asked);
const respondWith = (response: Parameters<FakeCall['respond']>[0]): void => {
  answering = ({ respond }) => respond(response);
};

function lastTrigger(): Trigger {
  const triggers = bed.log.records('triggers') as unknown as Trigger[];
  const http = triggers.filter(({ data }) => data.kind === 'http');
  const last = http.toSorted((a, b) => a.at - b.at).at(-1);
  if (last === undefined) throw new Error('no request was accepted');
  return last;
}

const lastRequest = (): HttpRequestData => lastTrigger().data.http as HttpRequestData;

test('a request is answered with success once its trigger is on the log exactly as it was sent', async () => {
  const answer = await post(`${paths.plain}/a%20b/c`, {
    body: Buffer.from([0, 255, 10]),
    headers: { 'content-type': 'image/png', 'x-mine': 'yes', authorization: 'Bearer hush', cookie: 'a=hush' },
  });
  expect([answer.status, answer.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
  expect(answer.text).toContain('Success');
  const { headers, sealedHeaders, ...request } = lastRequest();
  expect(request).toEqual({
    method: 'POST',
    path: '/a%20b/c',
    url: `http://test.local${paths.plain}/a%20b/c`,
    query: {},
    bodyBase64: Buffer.from([0, 255, 10]).toString('base64'),
    clientIp: '127.0.0.1',
  });
  expect(headers).toMatchObject({ 'content-type': 'image/png', 'x-mine': 'yes' });
  expect(headers).not.toHaveProperty('authorization');
  expect(headers).not.toHaveProperty('cookie');
  expect(JSON.stringify(bed.log.records('triggers'))).not.toContain('hush');
  expect(sealedHeaders).toEqual({ $sealed: expect.any(String) });
});

test.each(['/%zz', '/100%', '/caf%e9/%', '/%2525/%2F'])(
  'the path %s below the key is run as it was sent',
  async (path) => {
    expect((await bed.send('GET', `${paths.plain}${path}?a=%zz`)).status).toBe(200);
    expect(lastRequest()).toMatchObject({ path, url: `http://test.local${paths.plain}${path}?a=%zz` });
  },
);

test('answers 400 to a key with an escape that cannot be decoded', async () => {
  const answer = await bed.send('GET', '/e/%zz/below');
  expect([answer.status, answer.body.code]).toEqual([400, 'invalid_request']);
});

test.each([
  ['POST', 'not { json', 'application/json'],
  ['PUT', 'x', 'no type at all'],
  ['PATCH', '<x/>', 'text/xml; charset=latin1'],
] as const)('%s with the body %j of the type %j is accepted unchanged', async (method, body, type) => {
  expect((await bed.send(method, paths.plain, { body, headers: { 'content-type': type } })).status).toBe(200);
  expect(Buffer.from(lastRequest().bodyBase64, 'base64').toString()).toBe(body);
});

test('a query string is parsed, and a repeated parameter becomes a list', async () => {
  expect((await bed.send('GET', `${paths.plain}?a=1&b=x%20y&a=2&c&__proto__=p`)).status).toBe(200);
  const { query, path, sealedHeaders } = lastRequest();
  expect(JSON.stringify(query)).toBe('{"a":["1","2"],"b":"x y","c":"","__proto__":"p"}');
  expect([path, sealedHeaders]).toEqual(['/', null]);
});

test('accepts a body of 512 KiB and answers 413 to one byte more', async () => {
  const headers = { 'content-type': 'text/plain' };
  expect((await post(paths.plain, { body: 'x'.repeat(512 * 1024), headers })).status).toBe(200);
  const refused = await post(paths.plain, { body: 'x'.repeat(512 * 1024 + 1), headers });
  expect([refused.status, refused.body.code]).toEqual([413, 'too_large']);
});

test('an encoded body is kept as it was sent, and answered 413 if it is larger than 512 KiB once it is decoded', async () => {
  const headers = { 'content-type': 'text/plain', 'content-encoding': 'gzip' };
  const body = gzipSync('x'.repeat(512 * 1024));
  expect((await post(paths.plain, { body, headers })).status).toBe(200);
  expect(lastRequest()).toMatchObject({ headers, bodyBase64: body.toString('base64') });
  const refused = await post(paths.plain, { body: gzipSync('x'.repeat(512 * 1024 + 1)), headers });
  expect([refused.status, refused.body]).toEqual([
    413,
    { error: 'The body is larger than 524288 bytes once it is decoded.', code: 'too_large' },
  ]);
});

interface Recorded {
  readonly outcome: string;
  readonly console: readonly unknown[];
  readonly error?: { readonly name: string; readonly message: string };
}

/** The run of the request that was accepted last. */
async function lastRun(): Promise<Recorded> {
  const { id } = lastTrigger();
  for (let turn = 0; turn < 10_000; turn++) {
    const run = bed.log.records('runs').find(({ causationId }) => causationId === id);
    if (run !== undefined) return run.data as Recorded;
    await new Promise(setImmediate);
  }
  throw new Error('it was not run');
}

describe.each([
  ['a header', '', 'header'],
  ['the query', '?', 'query'],
])('when set in %s', (_where, _mark, where) => {
  const asking = (name: string): TestRequest =>
    where === 'header' ? { headers: { [name]: '1' } } : { query: { [name]: '1' } };

  test('x-pd-nostore passes the body to the run, but stores it in no trigger or run record', async () => {
    let got: unknown;
    answering = ({ event, console, respond }) => {
      got = (event as { readonly bodyRaw: string }).bodyRaw;
      console('a private body');
      respond({ status: 202 });
      throw new TypeError('what about: a private body');
    };
    const answer = await post(paths.custom, { body: 'a private body', ...asking('x-pd-nostore') });
    expect([answer.status, got]).toEqual([202, 'a private body']);
    expect(await lastRun()).toMatchObject({ outcome: 'failed', console: [], error: { name: 'TypeError' } });
    expect(lastRequest()).toMatchObject({ bodyBase64: '', sealedBody: { $sealed: expect.any(String) } });
    const logged = JSON.stringify([...bed.log.records('triggers'), ...bed.log.records('runs')]);
    for (const text of ['a private body', Buffer.from('a private body').toString('base64')])
      expect(logged).not.toContain(text);
  });

  test('x-pd-notrigger stores the request without running the component', async () => {
    answering = () => {
      throw new Error('it ran');
    };
    const answer = await post(paths.custom, { body: 'kept', ...asking('x-pd-notrigger') });
    expect([answer.status, answer.text]).toEqual([200, expect.stringContaining('Success')]);
    expect(await lastRun()).toMatchObject({ outcome: 'refused', error: { name: 'NotTriggeredError' } });
    expect(lastRequest()).toMatchObject({ bodyBase64: Buffer.from('kept').toString('base64'), noRun: true });
  });
});

test.each([
  [{ query: { 'x-pd-nostore': 'yes' } }, true],
  [{ query: { 'X-PD-NoStore': 'TRUE' } }, true],
  [{ query: { 'x-pd-nostore': '' } }, true],
  [{ headers: { 'x-pd-nostore': '1, 1' } }, true],
  [{ headers: { 'x-pd-nostore': '0' } }, false],
  [{ query: { 'x-pd-nostore': 'False' } }, false],
])('with %j the body is sealed: %s', async (asking, isAsked) => {
  expect((await post(paths.plain, { body: 'text', ...asking })).status).toBe(200);
  expect(lastRequest()?.sealedBody !== undefined).toBe(isAsked);
});

test('x-pd-nostore also accepts a body of the maximum size', async () => {
  const body = Buffer.alloc(512 * 1024, 255);
  const headers = { 'x-pd-nostore': 'true', 'content-type': 'application/octet-stream' };
  expect((await post(paths.plain, { body, headers })).status).toBe(200);
});

test('an OPTIONS request that is not a preflight goes to a component with custom responses', async () => {
  respondWith({ status: 200, headers: { 'webhook-allowed-origin': '*' }, bodyBase64: '' });
  const asked = await bed.send('OPTIONS', paths.custom, { headers: { 'webhook-request-origin': 'a.example' } });
  expect([asked.status, asked.headers['webhook-allowed-origin']]).toEqual([200, '*']);
  const preflight = { 'access-control-request-method': 'PUT' };
  expect((await bed.send('OPTIONS', paths.custom, { headers: preflight })).status).toBe(204);
});

test('pages of any origin may call an endpoint', async () => {
  const preflight = await bed.send('OPTIONS', paths.plain, { headers: { 'access-control-request-headers': 'x-a' } });
  expect([preflight.status, preflight.headers]).toMatchObject([
    204,
    {
      'access-control-allow-origin': '*',
      'access-control-allow-methods': 'GET,HEAD,PUT,PATCH,POST,DELETE',
      'access-control-allow-headers': 'x-a',
    },
  ]);
  expect((await bed.send('GET', paths.plain)).headers['access-control-allow-origin']).toBe('*');
});

test.each([['/e/unknown'], ['/e/unknown/deeper'], [`/e/${'x'.repeat(150)}`]])('answers 404 to %s', async (path) => {
  const answer = await post(path, { body: {} });
  const error = 'record not found: no active source has this endpoint';
  expect([answer.status, answer.body]).toMatchObject([404, { code: 'not_found', error }]);
});

test('answers 404 to a path without a key', async () => {
  const answer = await post('/e/', { body: {} });
  expect([answer.status, answer.body.code]).toEqual([404, 'not_found']);
});

describe('with a custom response', () => {
  test("the answer has the component's status, headers and body", async () => {
    respondWith({
      status: 418,
      headers: { 'x-a': '1', 'x-b': ['a=1', 'b=2'], 'content-type': 'text/css' },
      bodyBase64: Buffer.from('body').toString('base64'),
    });
    const answer = await post(paths.custom);
    expect([answer.status, answer.text]).toEqual([418, 'body']);
    expect(answer.headers).toMatchObject({ 'x-a': '1', 'x-b': ['a=1', 'b=2'], 'content-type': 'text/css' });
  });

  test('the component decides on the caching and content type of its answer', async () => {
    respondWith({ status: 200, headers: {}, bodyBase64: '' });
    const silent = await post(paths.custom);
    for (const name of ['cache-control', 'x-content-type-options']) expect(silent.headers).not.toHaveProperty(name);
    respondWith({ status: 200, headers: { 'Cache-Control': 'max-age=60' }, bodyBase64: '' });
    expect((await post(paths.custom)).headers['cache-control']).toBe('max-age=60');
  });

  test('leaves out headers that HTTP cannot carry, and still answers', async () => {
    const headers = {
      'content-length': '999',
      'transfer-encoding': 'chunked',
      connection: 'close',
      'bad name': 'x',
      'x-bad': 'a\r\nx-evil: 1',
      'x-wide': '\u20ac',
      'x-good': 'y',
    };
    respondWith({ status: 100, headers, bodyBase64: Buffer.from('ok').toString('base64') });
    const answer = await post(paths.custom);
    expect([answer.status, answer.text, answer.headers['x-good']]).toEqual([200, 'ok', 'y']);
    for (const name of ['x-bad', 'x-evil', 'x-wide', 'bad name', 'transfer-encoding']) {
      expect(answer.headers).not.toHaveProperty(name);
    }
  });

  test.each([204, 304])('an answer with status %i has no body', async (status) => {
    respondWith({ status, bodyBase64: Buffer.from('no').toString('base64') });
    const answer = await post(paths.custom);
    expect([answer.status, answer.text]).toEqual([status, '']);
  });

  test('answers 200 when a run ends without a response', async () => {
    answering = () => {};
    expect((await post(paths.custom)).status).toBe(200);
  });

  test('answers 500 without details when a run throws', async () => {
    answering = () => {
      throw new Error('secret detail');
    };
    const answer = await post(paths.custom);
    expect([answer.status, answer.body]).toEqual([
      500,
      { error: 'The source failed before it responded.', code: 'run_failed' },
    ]);
  });

  test('answers 404 when the source is deleted while the request waits', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const began = Promise.withResolvers<void>();
    answering = async () => {
      began.resolve();
      await promise;
    };
    const { body } = await bed.call('POST', '/v1/sources', { body: { component_code: 'custom' } });
    const source = body.data as { id: string; configured_props: { http: { endpoint_url: string } } };
    const { pathname } = new URL(source.configured_props.http.endpoint_url);
    const first = post(pathname);
    await began.promise;
    const second = post(pathname);
    const { replies } = bed.parts;
    for (let turn = 0; replies.waitingCount < 2 && turn < 1_000; turn++) await new Promise(setImmediate);
    expect(replies.waitingCount).toBe(2);
    await bed.call('DELETE', `/v1/sources/${source.id}`);
    resolve();
    expect((await first).status).toBe(200);
    expect(await second).toMatchObject({ status: 404, body: { code: 'not_found', details: { record: 'endpoint' } } });
  });

  test('answers 504 when a run takes too long, and the source continues', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    answering = () => promise;
    const answer = await bed.withLimits({ respondMs: 200 }, () => post(paths.custom));
    expect([answer.status, answer.body.code]).toEqual([504, 'no_response']);
    resolve();
    answering = () => {};
    expect((await post(paths.custom)).status).toBe(200);
  });

  test('stops waiting for the response when the client disconnects', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const began = Promise.withResolvers<void>();
    answering = () => {
      began.resolve();
      return promise;
    };
    await bed.app.listen(0, '127.0.0.1');
    const { port } = bed.app.getHttpServer().address() as AddressInfo;
    const client = connect(port, '127.0.0.1');
    client.write(`GET ${paths.custom} HTTP/1.1\r\nhost: x\r\n\r\n`);
    await began.promise;
    expect(bed.parts.replies.waitingCount).toBe(1);
    client.destroy();
    await once(client, 'close');
    for (let turn = 0; bed.parts.replies.waitingCount > 0 && turn < 1_000; turn++) await new Promise(setImmediate);
    expect(bed.parts.replies.waitingCount).toBe(0);
    resolve();
  });

  test('answers 503 without Retry-After when the log becomes unavailable while a response is awaited', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    answering = () => promise;
    const end = jest.spyOn(bed.log, 'end').mockRejectedValue(new PortError('unavailable', 'away'));
    const answer = await post(paths.custom);
    expect([answer.status, answer.body.code, answer.headers['retry-after']]).toEqual([
      503,
      'unknown_outcome',
      undefined,
    ]);
    expect(answer.body.error).toBe('The log does not answer now; the request was accepted.');
    end.mockRestore();
    resolve();
  });
});

test('a full source answers 429 until it reports that it is free, or for three seconds', async () => {
  bed.log.reply(everyGateway, { type: 'SourceFull', sourceId: ids.plain });
  const full = await post(paths.plain);
  expect([full.status, full.body.code, full.headers['retry-after']]).toEqual([429, 'too_many_requests', '1']);
  bed.log.reply(everyGateway, { type: 'SourceFree', sourceId: ids.plain });
  expect((await post(paths.plain)).status).toBe(200);
  bed.log.reply(everyGateway, { type: 'SourceFull', sourceId: ids.plain });
  expect((await post(paths.plain)).status).toBe(429);
  const laterMs = performance.now() + 3_001;
  const clock = jest.spyOn(performance, 'now').mockReturnValue(laterMs);
  expect((await post(paths.plain)).status).toBe(200);
  clock.mockRestore();
});

test('answers 429 above the rate limit of a source without affecting other sources', async () => {
  const settings = { timeout_ms: 1_000, memory_mb: 256, rate_limit: 1, concurrency: 16, emit_on_deploy: false };
  const { body } = await bed.call('POST', '/v1/sources', { body: { component_code: 'plain', ...settings } });
  const source = body.data as { readonly id: string; readonly configured_props: { http: { endpoint_url: string } } };
  expect((await bed.call('GET', `/v1/sources/${source.id}`)).body.data).toMatchObject(settings);
  const path = new URL(source.configured_props.http.endpoint_url).pathname;
  const clock = jest.spyOn(performance, 'now').mockReturnValue(performance.now());
  const statuses: number[] = [];
  for (let sent = 0; sent < 12; sent++) statuses.push((await post(path)).status);
  expect(statuses).toEqual([...Array.from({ length: 10 }, () => 200), 429, 429]);
  const refused = await post(path);
  clock.mockRestore();
  expect([refused.body.code, refused.headers['retry-after']]).toEqual(['too_many_requests', '1']);
  expect((await bed.send('OPTIONS', path)).status).toBe(204);
  expect((await post(paths.plain)).status).toBe(200);
  const none = (await bed.call('GET', `/v1/sources/${ids.plain}`)).body.data;
  expect(none).toMatchObject({
    timeout_ms: 60_000,
    memory_mb: 128,
    rate_limit: null,
    concurrency: 1,
    emit_on_deploy: true,
  });
});

test.each([
  ['timeout_ms', 300_001],
  ['timeout_ms', 999],
  ['memory_mb', 513],
  ['memory_mb', 1.5],
  ['rate_limit', 0],
  ['rate_limit', '5'],
  ['concurrency', 0],
  ['concurrency', 17],
  ['emit_on_deploy', 'no'],
])('refuses the setting %s with the value %j', async (name, value) => {
  const { status, body } = await bed.call('POST', '/v1/sources', { body: { component_code: 'plain', [name]: value } });
  expect([status, body.code, body.error]).toEqual([400, 'invalid_request', expect.stringContaining(name)]);
});

// Last, because it stops the stages: otherwise the fault could hit one of their appends.
test.each(['unavailable', 'unknown_outcome_committed', 'unknown_outcome_lost'] as const)(
  'answers 503 to a request when its append is %s',
  async (fault) => {
    await bed.stopStages();
    for (const path of [paths.plain, paths.custom]) {
      bed.log.failNextAppend(fault);
      const answer = await post(path, { body: {} });
      expect([answer.status, answer.body.code]).toEqual([503, fault.startsWith('unk') ? 'unknown_outcome' : fault]);
      expect(answer.headers['retry-after']).toBe('1');
    }
    expect(bed.parts.replies.waitingCount).toBe(0);
  },
);

test('requests that wait for a response when the gateway stops get 503', async () => {
  const waiting = post(paths.custom);
  for (let turn = 0; bed.parts.replies.waitingCount === 0 && turn < 1_000; turn++) await new Promise(setImmediate);
  bed.parts.replies.close();
  const { status, headers, body } = await waiting;
  expect([status, body.code, headers['retry-after']]).toEqual([503, 'unknown_outcome', undefined]);
  expect(body.error).toBe('The service is stopping; the request was accepted.');
});
