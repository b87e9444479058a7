// An endpoint is open to anybody: every request becomes an unchanged event or is refused, and affects nobody else.
import { once } from 'node:events';
import { connect } from 'node:net';
import { createClient } from '../../../libs/client/index.ts';
import type { Client } from '../../../libs/client/index.ts';
import { withFixture } from '../../support/fixture.ts';
import { until } from '../../support/until.ts';

const fixture = withFixture();
let client: Client;
let source: { readonly id: string; readonly endpoint: string };

beforeAll(async () => {
  client = createClient({ baseUrl: fixture.product.baseUrl, apiKey: await fixture.product.apiKey() });
  source = await deploy(`export default { name: 'Open', version: '1', props: { http: '$.interface.http' },
    run({ path, query, body, bodyRaw: { length } }) {
      this.$emit({ path, query, body: length < 300_000 ? body : 'long', raw: length });
    } }`);
});

async function deploy(code: string): Promise<typeof source> {
  const { id, configured_props: props } = await client.deploySource({ component_code: code });
  return { id, endpoint: props.http.endpoint_url };
}

interface Emitted {
  readonly path: string;
  readonly query: unknown;
  readonly body: unknown;
  readonly raw: number;
}

const eventCount = async (): Promise<number> => (await client.eventSummaries(source.id)).page_info.total_count;

/** The event that a request became. */
async function postAndReadEvent(type: string, body: string | Uint8Array<ArrayBuffer>, path = ''): Promise<Emitted> {
  const countBefore = await eventCount();
  const headers = { 'content-type': type };
  expect((await fetch(source.endpoint + path, { method: 'POST', headers, body })).status).toBe(200);
  await until('the event', async () => (await eventCount()) > countBefore);
  const { data } = await client.eventSummaries(source.id, { expand: 'event', limit: 1 });
  return data[0]?.event as Emitted;
}

const nested = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);

test.each([
  ['JSON of 100,000 levels', 'application/json', nested(100_000), nested(100_000)],
  ['invalid JSON', 'application/json', '{', '{'],
  ['JSON with names such as __proto__', 'application/json', '{"__proto__":{"a":1},"constructor":2}', undefined],
  ['a form with a repeated name', 'application/x-www-form-urlencoded', 'a=1&a=2&__proto__=3', undefined],
  ['an invalid content type', ';;;', 'text', 'text'],
])('%s is accepted and passed on', async (_name, type, body, expected) => {
  const event = await postAndReadEvent(type, body);
  expect(event.raw).toBe(body.length);
  if (expected !== undefined) expect(event.body).toBe(expected);
});

test('a multipart form arrives with its fields and the content of its file', async () => {
  const bytes = Buffer.from(Array.from({ length: 70_000 }, (_, at) => at % 256));
  const form = new FormData();
  form.append('title', 'Gr\u00fc\u00dfe');
  form.append('file', new Blob([bytes], { type: 'image/png' }), 'p\u00fc.png');
  const formRequest = new Response(form);
  const event = await postAndReadEvent(
    formRequest.headers.get('content-type') ?? '',
    new Uint8Array(await formRequest.arrayBuffer()),
  );
  const file = { filename: 'p\u00fc.png', contentType: 'image/png', content: bytes.toString('base64') };
  expect(event.body).toEqual({ title: 'Gr\u00fc\u00dfe', file });
});

test('x-pd-notrigger prevents the run of a request, and x-pd-nostore keeps its console out of the record', async () => {
  const { id, endpoint } = await deploy(`export default { name: 'Wishes', version: '1',
    props: { http: '$.interface.http' }, run({ bodyRaw }) { console.log(bodyRaw); this.$emit({ bodyRaw }); } }`);
  const http = async () => (await client.runs(id)).data.filter(({ kind }) => kind === 'http');
  for (const [before, name] of ['nothing', 'x-pd-notrigger', 'x-pd-nostore'].entries()) {
    const headers = { 'content-type': 'text/plain', [name]: '1' };
    expect((await fetch(endpoint, { method: 'POST', headers, body: name })).status).toBe(200);
    // Runs that begin in one millisecond are listed in any order.
    await until('its run', async () => (await http()).length === before + 1);
  }
  const outcomes = (await http()).map(({ outcome, console }) => [outcome, console.map(({ text }) => text)]);
  expect(outcomes).toEqual([
    ['succeeded', []],
    ['refused', []],
    ['succeeded', ['nothing']],
  ]);
  // A run may be shown before its event.
  const events = await until('both events', async () => {
    const { data } = await client.eventSummaries(id, { expand: 'event' });
    return data.length >= 2 && data.map(({ event }) => event);
  });
  expect(events).toEqual([{ bodyRaw: 'x-pd-nostore' }, { bodyRaw: 'nothing' }]);
});

test('a form with 100,000 values of one name is parsed', async () => {
  const event = await postAndReadEvent('application/x-www-form-urlencoded', 'a&'.repeat(100_000));
  expect(event.body).toEqual({ a: Array.from({ length: 100_000 }, () => '') });
});

test('a run gets the path below the endpoint unchanged, and every value of the query', async () => {
  const event = await postAndReadEvent('text/plain', 'x', '/a%2Fb/c//?x=1&x=2&y[z]=3');
  expect(event).toMatchObject({ path: '/a%2Fb/c//', query: { x: ['1', '2'], 'y[z]': '3' } });
});

test('accepts a body of 512 KiB and answers 413 to a larger one, with or without Content-Length', async () => {
  const most = Buffer.alloc(512 * 1024, 'a');
  expect((await postAndReadEvent('text/plain', most)).raw).toBe(most.length);
  const more = Buffer.concat([most, Buffer.from('a')]);
  const streamed = new Blob([more]).stream();
  for (const body of [more, streamed]) {
    const response = await fetch(source.endpoint, { method: 'POST', body, duplex: 'half' } as RequestInit);
    expect([response.status, await response.json()]).toEqual([413, expect.objectContaining({ code: 'too_large' })]);
  }
});

test('an aborted upload emits nothing, and every pipelined request emits one event', async () => {
  const countBefore = await eventCount();
  const { pathname } = new URL(source.endpoint);
  const head = (bytes: number): string => `POST ${pathname} HTTP/1.1\r\nhost: x\r\ncontent-length: ${bytes}\r\n\r\n`;
  for (let broken = 0; broken < 10; broken++) {
    const socket = connect(fixture.product.port, '127.0.0.1');
    await once(socket, 'connect');
    socket.write(`${head(1_000)}abc`, () => socket.destroy());
    await once(socket, 'close');
  }
  const socket = connect(fixture.product.port, '127.0.0.1');
  let responses = '';
  socket.on('data', (chunk: Buffer) => (responses += chunk.toString())).write(`${head(2)}hi`.repeat(50));
  await until('all answers', () => responses.split('HTTP/1.1 200 ').length === 51);
  socket.destroy();
  await until('all events', async () => (await eventCount()) >= countBefore + 50);
  expect(await eventCount()).toBe(countBefore + 50);
});

test('a component cannot break the connection it answers on', async () => {
  const { endpoint } = await deploy(`export default { name: 'Rude', version: '1',
    props: { http: { type: '$.interface.http', customResponse: true } },
    run({ query }) {
      if (query.split) this.http.respond({ headers: { x: 'a\\r\\nset-cookie: b=1' } });
      const headers = { 'content-length': '999', 'Transfer-Encoding': 'chunked', connection: 'upgrade', 'set-cookie': ['a=1', 'b=2'], 'x-list': ['a=1', 'b=2'] };
      this.http.respond({ status: Number(query.status), headers, body: 'four' });
      this.http.respond({ status: 500, body: 'a second time' });
    } }`);
  const response = await fetch(`${endpoint}?status=101`);
  expect([response.status, await response.text(), response.headers.get('x-list')]).toEqual([200, 'four', 'a=1, b=2']);
  // The endpoint shares its origin with the console.
  expect(response.headers.getSetCookie()).toEqual([]);
  expect(response.headers.get('content-security-policy')).toBe('sandbox allow-scripts allow-forms');
  expect(response.headers.get('content-length')).toBe('4');
  for (const status of [204, 304]) {
    const empty = await fetch(`${endpoint}?status=${status}`);
    expect([empty.status, await empty.text()]).toEqual([status, '']);
  }
  const split = await fetch(`${endpoint}?split=1`);
  expect([split.status, split.headers.get('set-cookie')]).toEqual([200, null]);
});

test('a request that the component leaves unanswered gets 200 at the end of the run, or 500 if it throws', async () => {
  const run = `async run({ query, body, headers, client_ip }) {
    if (query.throws) throw new Error('no luck');
    this.$emit([headers['x-a'], typeof client_ip, body ?? null]);
    if (query.responds) await this.http.respond({ status: '202', body: 'late' });
  }`;
  const silent = await deploy(`export default { name: 'Silent', version: '1',
    props: { http: { type: '$.interface.http', customResponse: true } }, ${run} }`);
  expect((await fetch(silent.endpoint, { headers: { 'x-a': 'b' } })).status).toBe(200);
  const storedEvent = async () => (await client.eventSummaries(silent.id, { expand: 'event' })).data[0]?.event;
  expect(await until('its event', storedEvent)).toEqual(['b', 'string', '']);
  const failed = await fetch(`${silent.endpoint}?throws=1`);
  expect([failed.status, await failed.json()]).toMatchObject([500, { code: 'run_failed' }]);
  const late = await fetch(`${silent.endpoint}?responds=1`);
  expect([late.status, await late.text()]).toEqual([202, 'late']);
  const plain = await deploy(
    `export default { name: 'Plain', version: '1', props: { http: '$.interface.http' }, ${run} }`,
  );
  expect((await fetch(`${plain.endpoint}?responds=1`)).status).toBe(200);
  const httpRun = async () => (await client.runs(plain.id)).data.find(({ kind }) => kind === 'http');
  expect((await until('the run', httpRun)).outcome).toBe('succeeded');
});

test('a source keeps to its timeout and its rate limit', async () => {
  const component_code = `export default { name: 'Bounded', version: '1', props: { http: '$.interface.http' },
    async run() { await new Promise(() => {}); } }`;
  const limits = { timeout_ms: 1_000, memory_mb: 64, rate_limit: 1 };
  const { id, configured_props: props, ...shown } = await client.deploySource({ component_code, ...limits });
  expect(shown).toMatchObject(limits);
  const statuses: number[] = [];
  const begunAt = performance.now();
  for (let sent = 0; sent < 30; sent++) statuses.push((await fetch(props.http.endpoint_url)).status);
  const seconds = (performance.now() - begunAt) / 1_000;
  const taken = statuses.filter((status) => status === 200).length;
  expect([statuses[0], new Set(statuses)]).toEqual([200, new Set([200, 429])]);
  // The burst of ten seconds, and the requests that the rate has allowed meanwhile.
  expect(taken).toBeGreaterThanOrEqual(10);
  expect(taken).toBeLessThanOrEqual(10 + Math.ceil(seconds));
  const httpRun = async () => (await client.runs(id)).data.find(({ kind }) => kind === 'http');
  await until('the end of its first run', async () => (await httpRun()) !== undefined);
  expect(await httpRun()).toMatchObject({ outcome: 'failed', error: { message: expect.stringContaining('1 s') } });
  await client.deleteSource(id);
});

test('answers 404 at the endpoint of a deleted source and at unknown endpoints', async () => {
  const deletedSource = await deploy(
    `export default { name: 'Gone', version: '1', props: { http: '$.interface.http' }, run() {} }`,
  );
  await client.deleteSource(deletedSource.id);
  for (const endpoint of [
    deletedSource.endpoint,
    `${fixture.product.baseUrl}/e/__proto__`,
    `${fixture.product.baseUrl}/e/%00`,
  ]) {
    expect((await fetch(endpoint)).status).toBe(404);
  }
});
