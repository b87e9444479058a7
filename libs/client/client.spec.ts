import { jest } from '@jest/globals';
import { once } from 'node:events';
import { ClientRequest, createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { inspect } from 'node:util';
import { ApiError, createClient } from './index.ts';

interface Seen {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly authorization: string | undefined;
  readonly key: string | string[] | undefined;
  readonly lastEventId: string | string[] | undefined;
  readonly body: string;
}

let seen: Seen;
let answer: { status: number; body: unknown; headers?: Record<string, string> };
const server = createServer((request, response) => void handle(request, response));

async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const { method, url, headers } = request;
  const body = Buffer.concat(chunks).toString();
  const { authorization, 'idempotency-key': key, 'last-event-id': lastEventId } = headers;
  seen = { method, url, authorization, key, lastEventId, body };
  response.writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers });
  const { body: sent } = answer;
  response.end(sent === undefined || typeof sent === 'string' ? sent : JSON.stringify(sent));
}

let baseUrl: string;
beforeAll(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => server.close());

const client = (base = baseUrl) => createClient({ baseUrl: base, apiKey: 'pd_x' });

test('a single record is returned without its envelope, and the request carries the keys and the body', async () => {
  answer = { status: 200, body: { data: { id: 'wh_1', signing_key: 'whsec_x' } } };
  const webhook = await client().createWebhook({ url: 'https://a.b/' }, { idempotencyKey: 'k' });
  expect(webhook.id).toBe('wh_1');
  expect(seen).toEqual({
    method: 'POST',
    url: '/v1/webhooks',
    authorization: 'Bearer pd_x',
    key: 'k',
    body: '{"url":"https://a.b/"}',
  });
});

test('the code of a source is asked for by its id', async () => {
  answer = { status: 200, body: { data: { id: 'dc_1', code: 'export default {}', entry: null, files: null } } };
  expect((await client().sourceCode('dc_1')).code).toBe('export default {}');
  expect(seen.url).toBe('/v1/sources/dc_1/code');
});

test('a page is returned with its page_info, and the base URL may include the version', async () => {
  answer = { status: 200, body: { page_info: { total_count: 0 }, data: [] } };
  const page = await client(`${baseUrl}/v1/`).deliveries('sub_1', { limit: 2, state: 'parked' });
  expect(page.data).toEqual([]);
  expect(seen.url).toBe('/v1/subscriptions/sub_1/deliveries?limit=2&state=parked');
});

test('a created subscription is taken out of the list in the answer, and is deleted by its three parts', async () => {
  answer = { status: 200, body: { data: [{ id: 'sub_1' }] } };
  const triple = { emitter_id: 'dc_1', listener_id: 'wh_1' };
  expect((await client().createSubscription(triple)).id).toBe('sub_1');
  answer = { status: 204, body: undefined };
  await client().deleteSubscription(triple);
  expect(seen).toMatchObject({ method: 'DELETE', url: '/v1/subscriptions', body: JSON.stringify(triple) });
});

test('an auto-subscription is created, listed, and deleted by its parts or by its id', async () => {
  answer = { status: 200, body: { data: [{ id: 'sub_1' }] } };
  const made = { event_name: '$errors', listener_id: 'wh_1' };
  const { autoSubscriptions } = client();
  expect((await autoSubscriptions.create(made)).id).toBe('sub_1');
  await autoSubscriptions.list({ limit: 2 });
  expect(seen.url).toBe('/v1/auto_subscriptions?limit=2');
  answer = { status: 204, body: undefined };
  await autoSubscriptions.delete(made);
  expect(seen).toMatchObject({ method: 'DELETE', url: '/v1/auto_subscriptions', body: JSON.stringify(made) });
  await autoSubscriptions.delete('sub_1');
  expect(seen.url).toBe('/v1/auto_subscriptions/sub_1');
});

test('a refusal is thrown with its status, code, details and Retry-After', async () => {
  answer = {
    status: 429,
    body: { error: 'later', code: 'too_many_requests', details: { a: 1 } },
    // Longer than a repeated read waits.
    headers: { 'retry-after': '20' },
  };
  const refused = client().source('dc_1/../x');
  await expect(refused).rejects.toBeInstanceOf(ApiError);
  await expect(refused).rejects.toMatchObject({
    message: 'later',
    status: 429,
    code: 'too_many_requests',
    details: { a: 1 },
    retryAfterSeconds: 20,
  });
  expect(seen.url).toBe('/v1/sources/dc_1%2F..%2Fx');
});

test('a server that does not answer fails with the code no_answer', async () => {
  const closedServer = createServer().listen(0, '127.0.0.1');
  await once(closedServer, 'listening');
  const { port } = closedServer.address() as AddressInfo;
  closedServer.close();
  await once(closedServer, 'close');
  const error: unknown = await client(`http://127.0.0.1:${port}`)
    .me()
    .catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ status: null, code: 'no_answer', cause: { code: 'ECONNREFUSED' } });
  expect(error).toHaveProperty('unanswered', undefined);
  // Programs log what they catch.
  expect(inspect(error, { depth: Infinity, showHidden: true })).not.toContain('pd_x');
});

test('a run is waited for longer than the service takes to answer that it has not ended', async () => {
  answer = { status: 202, body: { data: { id: 'run_1' } } };
  const patience = jest.spyOn(ClientRequest.prototype, 'setTimeout');
  expect(await client().runNowAndWait('dc_1')).toEqual({ id: 'run_1' });
  expect(patience.mock.calls[0]?.[0]).toBeGreaterThan(60_000);
  patience.mockRestore();
});

test('a connection that breaks says whether a change may have been made', async () => {
  const breaking = createServer((request) => request.socket.destroy()).listen(0, '127.0.0.1');
  await once(breaking, 'listening');
  const broken = client(`http://127.0.0.1:${(breaking.address() as AddressInfo).port}`);
  await expect(broken.me()).rejects.toMatchObject({ code: 'no_answer', unanswered: 'read' });
  await expect(broken.runNow('dc_1')).rejects.toMatchObject({ code: 'no_answer', unanswered: 'change' });
  breaking.close();
});

test.each([
  [200, '<html>Sign in</html>'],
  [200, '[]'],
  [200, '{}'],
  [200, undefined],
  [302, ''],
  [502, '<html>Bad gateway</html>'],
])('an answer %d %s that is not of the service is no result', async (status, body) => {
  answer = {
    status,
    body,
    headers: { 'content-type': body?.startsWith('<') === true ? 'text/html' : 'application/json' },
  };
  for (const call of [client().me(), client().sources(), client().deleteSource('dc_1')])
    await expect(call).rejects.toMatchObject({ status, code: 'unknown', message: expect.stringContaining('proxy') });
});

test('a stream resumes after a record and is read as it arrives, and a refused one throws an ApiError', async () => {
  const run = { id: 'run_1', outcome: 'succeeded' };
  answer = {
    status: 200,
    body: `:sse-handshake\n\nid: run_1\ndata: ${JSON.stringify(run)}\n\n`,
    headers: { 'content-type': 'text/event-stream' },
  };
  const got: unknown[] = [];
  const onOpen = (): number => got.push('open');
  for await (const message of client().runStream('dc_1', { after: 'run_0', onOpen })) got.push(message);
  expect(got).toEqual(['open', { id: 'run_1', data: run }]);
  expect(seen).toMatchObject({ url: '/v1/sources/dc_1/logs/sse', lastEventId: 'run_0' });
  answer = { status: 404, body: { error: 'record not found', code: 'not_found' } };
  const refused = client().eventStream('dc_2', { event_name: '' }).next();
  await expect(refused).rejects.toMatchObject({ status: 404, code: 'not_found', message: 'record not found' });
  expect(seen).toMatchObject({ url: '/v1/sources/dc_2/sse?event_name=', lastEventId: undefined });
});

test('health is returned also with status 503, with the date of the answer', async () => {
  answer = { status: 503, body: { status: 'error', details: {} }, headers: { date: 'Mon, 23 Nov 2026 05:00:00 GMT' } };
  expect(await client().health()).toEqual({ health: answer.body, status: 503, dateMs: Date.UTC(2026, 10, 23, 5) });
  expect(seen.url).toBe('/health');
});

test('history is read until there is no more, also past an empty page', async () => {
  const requestedUrls: string[] = [];
  const pages = [['rec_1'], [], ['rec_2', 'rec_3']];
  const found: string[] = [];
  const next = (): void => {
    const page = pages.shift() ?? [];
    const page_info = { count: page.length, end_cursor: `c${pages.length}`, has_more: pages.length > 0 };
    answer = { status: 200, body: { page_info, data: page.map((id) => ({ id })) } };
  };
  const history = client().history;
  const read = history.page.bind(history);
  history.page = async (query) => {
    next();
    const page = await read(query);
    requestedUrls.push(seen.url ?? '');
    return page;
  };
  for await (const { id } of history.all({ subject: 'dc_1', limit: 2 })) found.push(id);
  expect(found).toEqual(['rec_1', 'rec_2', 'rec_3']);
  const url = '/v1/history?subject=dc_1&limit=2';
  expect(requestedUrls).toEqual([url, `${url}&after=c2`, `${url}&after=c1`]);
});

test('a stream that is aborted ends its connection and fails without the API key', async () => {
  const closed = Promise.withResolvers<void>();
  const silent = createServer((_, response) => {
    response.on('close', closed.resolve);
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write('id: run_1\ndata: {}\n\n');
  }).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const abort = new AbortController();
  const base = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
  const stream = client(base).runStream('dc_1', { signal: abort.signal });
  await stream.next();
  const error = stream.next().catch((thrown: unknown) => thrown);
  abort.abort();
  await closed.promise;
  expect(await error).toMatchObject({ name: 'AbortError' });
  expect(inspect(await error, { depth: Infinity, showHidden: true })).not.toContain('pd_x');
  await expect(client(base).runStream('dc_1', { signal: abort.signal }).next()).rejects.toThrow('canceled');
  silent.close();
});
