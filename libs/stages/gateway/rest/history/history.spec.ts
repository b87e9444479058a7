import type { AddressInfo } from 'node:net';
import { jest } from '@jest/globals';
import type { Manifest } from '../../../../domain/component/manifest.ts';
import type { CloudEvent } from '../../../../domain/history/cloud-event.ts';
import { until } from '../../../../../test/support/until.ts';
import { keyIdOf } from '../../../../domain/workspace/api-keys/api-keys.ts';
import { hashApiKey } from '../../control/api-keys.ts';
import { EventStream } from '../../streams/event-stream.fake.ts';
import { TestBed } from '../../test-bed.fake.ts';
import type { Answer } from '../../test-bed.fake.ts';

const manifest: Manifest = {
  name: 'Echo',
  version: '0.0.1',
  type: 'source',
  hooks: [],
  methods: [],
  additionalProps: false,
  props: [],
};

interface PartInfo {
  readonly count: number;
  readonly end_cursor: string;
  readonly has_more: boolean;
}

let bed: TestBed;
let base: string;
let keyId: string;
let sourceId: string;
const opened: EventStream[] = [];
beforeAll(async () => {
  bed = await TestBed.start({ limits: { heartbeatMs: 100 } });
  await bed.app.listen(0, '127.0.0.1');
  base = `http://127.0.0.1:${(bed.app.getHttpServer().address() as AddressInfo).port}`;
  bed.components.set('echo', { manifest, run: ({ emit, event }) => emit({ event, channel: '' }) });
  keyId = keyIdOf(hashApiKey(bed.apiKey));
  sourceId = ((await bed.call('POST', '/v1/sources', { body: { component_code: 'echo' } })).body.data as { id: string })
    .id;
  await run();
});
afterEach(() => opened.splice(0).forEach((stream) => stream.close()));
afterAll(async () => {
  bed?.app.getHttpServer().closeAllConnections();
  await bed?.stop();
});

const run = () => bed.call('POST', `/v1/sources/${sourceId}/run`, { body: { event: {} }, query: { wait: '1' } });

async function page(query: Record<string, string>): Promise<{ info: PartInfo; data: readonly CloudEvent[] }> {
  const { status, body } = await bed.call('GET', '/v1/history', { query });
  expect([status, body.error]).toEqual([200, undefined]);
  return { info: body['page_info'] as unknown as PartInfo, data: body.data as readonly CloudEvent[] };
}

/** The events of all pages. */
async function history(query: Record<string, string> = {}): Promise<readonly CloudEvent[]> {
  const all: CloudEvent[] = [];
  for (let after = ''; ;) {
    const { info, data } = await page({ ...query, after });
    expect(info.count).toBe(data.length);
    all.push(...data);
    if (!info.has_more) return all;
    after = info.end_cursor;
  }
}

async function open(path: string, lastEventId?: string): Promise<EventStream> {
  const asking = { apiKey: bed.apiKey, ...(lastEventId === undefined ? {} : { lastEventId }) };
  const stream = await EventStream.open(base + path, asking);
  opened.push(stream);
  return stream;
}

const typesOf = (events: readonly CloudEvent[]): readonly string[] => events.map(({ type }) => type);

test('history lists the records of the workspace, oldest first, in pages of any size', async () => {
  const all = await history();
  expect(typesOf(all).slice(0, 2)).toEqual(['CreateWorkspace', 'WorkspaceCreated']);
  for (const limit of ['1', '7', '1000']) expect(await history({ limit })).toEqual(all);
  expect(all.find(({ type }) => type === 'DeploySource')).toEqual({
    specversion: '1.0',
    id: expect.stringMatching(/^cmd_/),
    source: '/wellspring/commands',
    type: 'DeploySource',
    time: expect.stringMatching(/Z$/),
    datacontenttype: 'application/json',
    partitionkey: sourceId,
    version: expect.any(String),
    workspace: all[0]?.workspace,
    correlationid: expect.stringMatching(/^req_[0-9A-Za-z]{20}$/),
    causationid: expect.stringMatching(/^req_/),
    traceparent: expect.stringMatching(/^00-/),
    actor: keyId,
    data: expect.objectContaining({ sourceId, configuredProps: { $sealed: expect.any(String) } }),
  });
});

test('a correlation id finds a request and everything it caused', async () => {
  const [request] = (await history({ type: 'TriggerRequested', subject: sourceId })).slice(-1);
  const followed = await history({ correlation_id: request?.correlationid ?? '' });
  expect(typesOf(followed)).toEqual(['TriggerRequested', 'EventEmitted', 'RunFinished']);
  expect(new Set(followed.map(({ actor }) => actor))).toEqual(new Set([keyId]));
});

test('filters by topic, type, subject and time', async () => {
  const all = await history();
  expect(await history({ topic: 'runs' })).toEqual(all.filter(({ source }) => source === '/wellspring/runs'));
  expect(await history({ type: 'SourceDeployed' })).toEqual(all.filter(({ type }) => type === 'SourceDeployed'));
  const runs = await history({ topic: 'runs', type: 'RunFinished' });
  const { runId = '' } = (runs.at(-1)?.data ?? {}) as { runId?: string };
  expect(typesOf(await history({ subject: runId }))).toEqual(['TriggerRequested', 'EventEmitted', 'RunFinished']);
  expect(await history({ subject: keyId })).toEqual(
    all.filter(({ actor, data }) => actor === keyId || (data as { keyId?: string }).keyId === keyId),
  );
  const deployed = all.find(({ type }) => type === 'SourceDeployed');
  const at = Date.parse(deployed?.time ?? '');
  expect(await history({ from: String(at) })).toEqual(all.filter(({ time }) => Date.parse(time) >= at));
  expect(await history({ to: String(at) })).toEqual(all.filter(({ time }) => Date.parse(time) < at));
  expect(await history({ subject: 'dc_0000000000000000' })).toEqual([]);
  const named = await page({ include: 'id,type', limit: '1' });
  expect(named.data).toEqual([{ id: all[0]?.id, type: 'CreateWorkspace' }]);
});

test.each([
  [{ topic: 'sources' }, 'topic'],
  [{ topic: 'marks.runtime' }, 'topic'],
  [{ type: 'Nothing' }, 'type'],
  [{ type: 'constructor' }, 'type'],
  [{ subject: 'a b' }, 'subject'],
  [{ correlation_id: '$' }, 'correlation_id'],
  [{ limit: '1001' }, 'limit'],
  [{ limit: '0' }, 'limit'],
  [{ from: '-1' }, 'from'],
  [{ from: '2', to: '1' }, 'from'],
  [{ after: 'nonsense' }, 'cursor'],
])('refuses %j', async (query: Record<string, string>, named) => {
  for (const path of ['/v1/history', '/v1/history/sse']) {
    if (path.endsWith('sse') && 'limit' in query) continue;
    const { status, text } = await bed.call('GET', path, { query });
    expect([status, text]).toEqual([400, expect.stringContaining(named)]);
  }
});

test('refuses a cursor of another query', async () => {
  const { info } = await page({ topic: 'runs', limit: '1' });
  expect((await bed.call('GET', '/v1/history', { query: { after: info.end_cursor } })).status).toBe(400);
});

test('answers many concurrent queries in turn, and 429 to those above the limit', async () => {
  const { promise: mayRead, resolve: letRead } = Promise.withResolvers<void>();
  const read = bed.log.read.bind(bed.log);
  const readSpy = jest.spyOn(bed.log, 'read').mockImplementation(async (...place) => {
    await mayRead;
    return read(...place);
  });
  const ended: Answer[] = [];
  const requests = Array.from({ length: 40 }, () =>
    bed.call('GET', '/v1/history', { query: { limit: '1' } }).then((answer) => ended.push(answer)),
  );
  // Two are answered concurrently, and sixteen wait.
  await until('the others to be refused', () => ended.length === 40 - 18);
  for (const { status, headers } of ended) expect([status, headers['retry-after']]).toEqual([429, expect.anything()]);
  letRead();
  readSpy.mockRestore();
  await Promise.all(requests);
  expect(ended.slice(40 - 18).map(({ status }) => status)).toEqual(Array.from({ length: 18 }, () => 200));
});

test('a stream sends new records and resumes after the given record', async () => {
  const stream = await open(`/v1/history/sse?subject=${sourceId}`);
  expect(stream.status).toBe(200);
  await run();
  const first = await stream.take(3);
  expect(first.map(({ data }) => (data as CloudEvent).type)).toEqual([
    'TriggerRequested',
    'EventEmitted',
    'RunFinished',
  ]);
  const all = await history({ subject: sourceId });
  expect(first.map(({ data }) => data)).toEqual(all.slice(-3));
  const resumed = await open(`/v1/history/sse?subject=${sourceId}`, first[0]?.id);
  expect(await resumed.take(2)).toEqual(first.slice(1));
  await run();
  expect((await resumed.take(3)).map(({ data }) => data)).toEqual((await history({ subject: sourceId })).slice(-3));
  const listed = await page({ subject: sourceId, after: first[1]?.id ?? '', limit: '1' });
  expect(listed.data).toEqual([first[2]?.data]);
});

test('a stream from a cursor of the list sends exactly the later records, with only the chosen fields', async () => {
  const { info } = await page({ limit: '5' });
  const stream = await open(`/v1/history/sse?include=id&after=${info.end_cursor}`);
  const laterRecords = (await history()).slice(5);
  expect((await stream.take(laterRecords.length)).map(({ data }) => data)).toEqual(
    laterRecords.map(({ id }) => ({ id })),
  );
  await stream.untilComment(/handshake/);
});
