import { jest } from '@jest/globals';
import { once } from 'node:events';
import { connect } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import type { Manifest } from '../../../../domain/component/manifest.ts';
import { eventViewWrite } from '../event-view-write.fake.ts';
import { TestBed } from '../../test-bed.fake.ts';
import { EventStream } from '../../streams/event-stream.fake.ts';
import type { Message } from '../../streams/event-stream.fake.ts';

const manifest: Manifest = {
  name: 'Echo',
  version: '0.0.1',
  type: 'source' as const,
  hooks: [],
  methods: [],
  additionalProps: false,
  props: [],
};

interface Emitted {
  readonly event: { readonly n?: number };
}

let bed: TestBed;
let base: string;
const opened: EventStream[] = [];
beforeAll(async () => {
  bed = await TestBed.start({ limits: { heartbeatMs: 100 } });
  await bed.app.listen(0, '127.0.0.1');
  base = `http://127.0.0.1:${(bed.app.getHttpServer().address() as AddressInfo).port}`;
  bed.components.set('echo', {
    manifest,
    run: ({ event, emit }) => {
      const { channel = '', count = 1, ...rest } = event as { channel?: string; count?: number };
      for (let i = 0; i < count; i++) emit({ event: count === 1 ? rest : { ...rest, n: i }, channel });
    },
  });
});
afterEach(() => opened.splice(0).forEach((stream) => stream.close()));
afterAll(async () => {
  bed?.app.getHttpServer().closeAllConnections();
  await bed?.stop();
});

async function deploy(): Promise<string> {
  const answer = await bed.call('POST', '/v1/sources', { body: { component_code: 'echo' } });
  return (answer.body.data as { id: string }).id;
}

async function emit(id: string, event: object): Promise<void> {
  const { status } = await bed.call('POST', `/v1/sources/${id}/run`, { body: { event }, query: { wait: '1' } });
  expect(status).toBe(200);
}

async function open(path: string, lastEventId?: string): Promise<EventStream> {
  const asking = { apiKey: bed.apiKey, ...(lastEventId === undefined ? {} : { lastEventId }) };
  const stream = await EventStream.open(base + path, asking);
  opened.push(stream);
  return stream;
}

const numbers = (messages: readonly Message[]): unknown[] => messages.map(({ data }) => (data as Emitted).event.n);
const numbered = (count: number, from = 0): number[] => Array.from({ length: count }, (_, i) => from + i);
const listed = async (id: string): Promise<readonly object[]> =>
  (await bed.call('GET', `/v1/sources/${id}/event_summaries`, { query: { expand: 'event', limit: '100' } })).body
    .data as readonly object[];

test('sends an event with its id, as listed, to all listeners at both URLs', async () => {
  const id = await deploy();
  await emit(id, { n: 0 });
  const streams = [await open(`/v1/sources/${id}/sse`), await open(`/sse/dc/${id}/emits`)];
  await emit(id, { n: 1 });
  const [newest] = await listed(id);
  for (const stream of streams) {
    expect(stream.status).toBe(200);
    expect(await stream.next()).toEqual({ id: (newest as { id: string }).id, data: newest });
  }
});

test('without an event name a stream has every channel not starting with $, with one only that channel', async () => {
  const id = await deploy();
  const [every, odd, unnamed, errors] = await Promise.all(
    ['', '?event_name=odd', '?event_name=', '?event_name=$errors'].map((query) =>
      open(`/v1/sources/${id}/sse${query}`),
    ),
  );
  for (const [n, channel] of ['odd', '$errors', '', 'odd'].entries()) await emit(id, { n, channel });
  expect(numbers((await every?.take(3)) ?? [])).toEqual([0, 2, 3]);
  expect(numbers((await odd?.take(2)) ?? [])).toEqual([0, 3]);
  expect(numbers((await unnamed?.take(1)) ?? [])).toEqual([2]);
  expect(numbers((await errors?.take(1)) ?? [])).toEqual([1]);
});

test('a resuming client gets every event after the one it names, once and in order', async () => {
  const id = await deploy();
  for (let batch = 0; batch < 3; batch++) await emit(id, { count: 100 });
  const first = await open(`/v1/sources/${id}/sse?after=1-0`);
  expect(await first.untilComment(/is gone/)).toBeDefined();
  const all = await first.take(300);
  expect(numbers(all)).toEqual([...numbered(100), ...numbered(100), ...numbered(100)]);
  const resumed = await open(`/v1/sources/${id}/sse?after=${all[0]?.id}`, all[249]?.id);
  await emit(id, { n: 7 });
  const older = await resumed.take(51);
  expect(older.slice(0, 50)).toEqual(all.slice(250));
  expect(numbers(older.slice(50))).toEqual([7]);
  expect(resumed.comments.join()).not.toMatch(/is gone/);
});

test('clients that resume together share what is read for them, wherever each of them had stopped', async () => {
  const id = await deploy();
  for (let batch = 0; batch < 3; batch++) await emit(id, { count: 100 });
  const all = await (await open(`/v1/sources/${id}/sse?after=1-0`)).take(300);
  const find = jest.spyOn(bed.views.live(), 'find');
  try {
    const froms = numbered(20);
    const streams = await Promise.all(froms.map((from) => open(`/v1/sources/${id}/sse`, all[from]?.id)));
    const taken = await Promise.all(streams.map((stream, from) => stream.take(299 - from)));
    for (const [from, rest] of taken.entries()) expect(rest).toEqual(all.slice(from + 1));
    // Each alone reads seven pages and more.
    expect(find.mock.calls.filter(([view]) => view === 'events').length).toBeLessThan(20 * 4);
  } finally {
    find.mockRestore();
  }
});

test('a stream of runs sends them as listed, in the order they end, and can be resumed', async () => {
  const id = await deploy();
  const stream = await open(`/v1/sources/${id}/logs/sse`);
  for (let n = 0; n < 3; n++) await emit(id, { n });
  const runs = await stream.take(3);
  const list = (await bed.call('GET', `/v1/sources/${id}/runs`)).body.data as readonly { id: string }[];
  expect(runs.map(({ data }) => data)).toEqual(list.slice(0, 3).toReversed());
  const resumed = await open(`/sse/dc/${id}/observations`, runs[1]?.id);
  expect(await resumed.next()).toEqual(runs[2]);
  const fromNowhere = await open(`/sse/dc/${id}/observations`, 'run_0000000000000000');
  expect(await fromNowhere.untilComment(/is gone/)).toBeDefined();
  expect((await fromNowhere.take(list.length)).slice(-3)).toEqual(runs);
});

test('a stream sends an event only once the views show all earlier ones', async () => {
  const id = await deploy();
  const stream = await open(`/v1/sources/${id}/sse`);
  await bed.views.live().put([eventViewWrite(id, '9000000000000-9', Number.MAX_SAFE_INTEGER)]);
  const second = await open(`/v1/sources/${id}/sse`);
  await emit(id, { n: 1 });
  await emit(id, { n: 2 });
  expect(numbers(await stream.take(2))).toEqual([1, 2]);
  expect(numbers(await second.take(2))).toEqual([1, 2]);
});

test('a stream resumed from an id in the future says that it is gone and continues with new events', async () => {
  const id = await deploy();
  await emit(id, { n: 0 });
  const [ahead, behind] = [
    await open(`/v1/sources/${id}/sse?after=9999999999999-0`),
    await open(`/v1/sources/${id}/sse`),
  ];
  expect(await ahead.untilComment(/is gone/)).toBeDefined();
  await emit(id, { n: 1 });
  expect([numbers(await ahead.take(1)), numbers(await behind.take(1))]).toEqual([[1], [1]]);
});

test('refuses an id of another source or an invalid one, with a message about the stream', async () => {
  const [id, other] = [await deploy(), await deploy()];
  await emit(other, { n: 0 });
  const [run] = (await bed.call('GET', `/v1/sources/${other}/runs`)).body.data as readonly { id: string }[];
  const refused = [
    await bed.call('GET', `/v1/sources/${id}/logs/sse`, { query: { after: run?.id ?? '' } }),
    await bed.call('GET', `/v1/sources/${id}/sse`, { query: { after: 'nonsense' } }),
  ];
  for (const { status, body } of refused) {
    expect(status).toBe(400);
    expect(body.error).toMatch(/names no record of this stream/);
  }
});

test('streams with many different field selections do not delay other sources', async () => {
  const [id, other] = [await deploy(), await deploy()];
  const fields = (n: number): string => (n % 2 === 0 ? `exclude=f${n}` : `include=id,event,f${n}`);
  const many = await Promise.all(Array.from({ length: 300 }, (_, n) => open(`/v1/sources/${id}/sse?${fields(n)}`)));
  const canary = await open(`/v1/sources/${other}/sse`);
  await emit(id, { count: 8, text: 'x'.repeat(20_000) });
  const before = process.threadCpuUsage();
  await emit(other, { n: 1 });
  expect(numbers(await canary.take(1))).toEqual([1]);
  const { user, system } = process.threadCpuUsage(before);
  expect((user + system) / 1_000).toBeLessThan(5_000);
  for (const stream of [many.at(0), many.at(-1)]) expect(numbers((await stream?.take(8)) ?? [])).toEqual(numbered(8));
}, 30_000);

test('clients that resume and do not read do not delay other streams', async () => {
  const [id, other] = [await deploy(), await deploy()];
  for (let n = 0; n < 20; n++) await emit(id, { n, text: 'x'.repeat(400_000) });
  await emit(other, { n: 0 });
  const silent = await Promise.all(Array.from({ length: 40 }, () => openSilently(`/v1/sources/${id}/sse?after=1-0`)));
  const [fresh, resumed] = [await open(`/v1/sources/${other}/sse`), await open(`/v1/sources/${other}/sse?after=1-0`)];
  await emit(other, { n: 1 });
  // The messages arrive even before the first silent client is disconnected.
  const received = Promise.all([fresh.take(1), resumed.take(2)]).then((messages) => messages.map(numbers));
  const disconnected = Promise.race(silent.map((socket) => once(socket, 'close')));
  expect(await Promise.race([received, disconnected])).toEqual([[1], [0, 1]]);
  for (const socket of silent) socket.destroy();
}, 120_000);

test('sends a sign of life at once and repeatedly, and only the included fields', async () => {
  const id = await deploy();
  const stream = await open(`/v1/sources/${id}/sse?include=id`);
  await stream.untilComment(/^:sse-handshake$/);
  stream.comments.splice(0);
  await stream.untilComment(/^:sse-handshake$/);
  await emit(id, { n: 1 });
  const message = await stream.next();
  expect(message?.data).toEqual({ id: message?.id });
});

test('refuses unknown sources, invalid parameters and unknown keys like every other request', async () => {
  const id = await deploy();
  const status = async (path: string, lastEventId?: string): Promise<number> => (await open(path, lastEventId)).status;
  expect(await status('/v1/sources/dc_0000000000000000/sse')).toBe(404);
  expect(await status(`/v1/sources/${id}/sse?after=nonsense`)).toBe(400);
  expect(await status(`/v1/sources/${id}/logs/sse`, '1-0')).toBe(400);
  expect(await status(`/v1/sources/${id}/logs/sse?event_name=x`)).toBe(400);
  for (const path of [`/v1/sources/${id}/sse`, `/sse/dc/${id}/emits`])
    expect((await fetch(base + path, { headers: { authorization: 'Bearer nobody' } })).status).toBe(401);
  const head = await fetch(`${base}/v1/sources/${id}/sse`, {
    method: 'HEAD',
    headers: { authorization: `Bearer ${bed.apiKey}` },
  });
  expect([head.status, head.headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8']);
});

test('a stream ends when its source is deleted, after its last events', async () => {
  const id = await deploy();
  const [events, runs] = [await open(`/v1/sources/${id}/sse`), await open(`/v1/sources/${id}/logs/sse`)];
  await emit(id, { n: 1 });
  expect((await bed.call('DELETE', `/v1/sources/${id}`)).status).toBe(204);
  expect(numbers([await events?.next()].flatMap((one) => one ?? []))).toEqual([1]);
  expect(await events?.next()).toBeUndefined();
  await runs?.take(1);
});

/** Opens a stream and never reads from it. */
async function openSilently(path: string): Promise<Socket> {
  const { hostname, port } = new URL(base);
  const socket = connect(Number(port), hostname);
  socket.write(`GET ${path} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${bed.apiKey}\r\n\r\n`);
  await new Promise((resolve) => socket.once('readable', resolve));
  return socket;
}

test('disconnects a client that does not read, without delaying other clients', async () => {
  const id = await deploy();
  const slow = await openSilently(`/v1/sources/${id}/sse`);
  const stream = await open(`/v1/sources/${id}/sse`);
  const text = 'x'.repeat(400_000);
  let sent = 0;
  // The operating system buffers some megabytes for a client before the service notices.
  while (!slow.destroyed && sent < 100) {
    await emit(id, { n: sent++, text });
    expect(numbers(await stream.take(1))).toEqual([sent - 1]);
    if (bed.parts.streams.count === 1) break;
  }
  expect([sent < 100, bed.parts.streams.count]).toEqual([true, 1]);
  slow.destroy();
}, 30_000);

test('stopping the service ends every stream', async () => {
  const stream = await open(`/v1/sources/${await deploy()}/sse`);
  await stream.untilComment(/handshake/);
  bed.parts.streams.close();
  expect(await stream.next()).toBeUndefined();
  expect((await open(`/v1/sources/${await deploy()}/sse`)).status).toBe(503);
});
