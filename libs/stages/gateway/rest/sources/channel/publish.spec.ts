// Channels over HTTP: created at once, published to, and refused wherever code is needed.
import { until } from '../../../../../../test/support/until.ts';
import { nestedArrays } from '../../../../../domain/record/unusable-records.fake.ts';
import { sizes } from '../../../../../domain/sizes.ts';
import { TestBed } from '../../../test-bed.fake.ts';
import type { Answer } from '../../../test-bed.fake.ts';

interface Source {
  readonly id: string;
  readonly [name: string]: unknown;
}
interface Published {
  readonly id: string;
  readonly duplicate: boolean;
}

let bed: TestBed;
let channel: Source;
let component: Source;
beforeAll(async () => {
  bed = await TestBed.start();
  const described = {
    version: '1',
    type: 'source',
    props: [],
    hooks: [],
    methods: [],
    additionalProps: false,
  } as const;
  bed.components.set('coded', { manifest: { name: 'Coded', ...described } });
  channel = sourceOf(await create({ kind: 'channel', name: 'Orders' }));
  component = sourceOf(await create({ component_code: 'coded' }));
});
afterAll(() => bed?.stop());

const create = (body: object, headers: Record<string, string> = {}): Promise<Answer> =>
  bed.call('POST', '/v1/sources', { body, headers });
const sourceOf = ({ body }: Answer): Source => body.data as Source;
const publish = (body: unknown, { id = channel.id, headers = {} } = {}): Promise<Answer> =>
  bed.call('POST', `/v1/sources/${id}/events`, { body, headers });
const published = ({ body }: Answer): readonly Published[] => body.data as readonly Published[];
const newest = async (id = channel.id): Promise<unknown> => {
  const query = { limit: '1', expand: 'event' };
  return ((await bed.call('GET', `/v1/sources/${id}/event_summaries`, { query })).body.data as unknown[])[0];
};
test('a channel is active in the first answer, has no code, and is listed and read like any source', async () => {
  expect(channel).toMatchObject({
    kind: 'channel',
    state: 'active',
    active: true,
    name: 'Orders',
    name_slug: 'orders',
    has_sample: false,
    component_id: null,
    component_key: null,
    version: null,
    code_hash: null,
    observations: [],
    configured_props: {},
    configurable_props: [],
  });
  const listed = (await bed.call('GET', '/v1/sources')).body.data as readonly Source[];
  expect(listed.map(({ id, kind }) => [id, kind])).toEqual([
    [component.id, 'component'],
    [channel.id, 'channel'],
  ]);
  expect(sourceOf(await bed.call('GET', `/v1/sources/${channel.id}`))).toMatchObject({ kind: 'channel' });
});

test('a repeat with the same Idempotency-Key returns the same channel, and a different request is a conflict', async () => {
  const headers = { 'idempotency-key': 'one' };
  const first = sourceOf(await create({ kind: 'channel', name: 'Bills' }, headers));
  expect(sourceOf(await create({ kind: 'channel', name: 'Bills' }, headers)).id).toBe(first.id);
  expect((await create({ kind: 'channel', name: 'Other' }, headers)).body.code).toBe('idempotency_conflict');
});

test.each([
  [{ kind: 'channel' }, 'name'],
  [{ kind: 'channel', name: 'X', component_code: 'coded' }, 'component_code'],
  [{ kind: 'channel', name: 'X', configured_props: { a: 1 } }, 'configured_props'],
  [{ kind: 'channel', name: 'X', timeout_ms: 1_000 }, 'timeout_ms'],
  [{ kind: 'other', name: 'X' }, 'kind'],
  [{ kind: 'component', name: 'X' }, 'component_code'],
])('refuses %j and names %s', async (body, field) => {
  const answer = await create(body);
  expect([answer.status, answer.body.details]).toMatchObject([400, { problems: [{ field }] }]);
});

test('publishing one or many events returns the ids under which they are listed, and detects duplicates', async () => {
  const one = await publish({ event: { n: 1 }, id: 'a', name: 'paid', summary: 'first', ts: 5 });
  expect(one.status).toBe(200);
  const [first] = published(one);
  expect(
    await until('the event', async () => ((await newest()) as Published | undefined)?.id === first?.id && newest()),
  ).toEqual({
    id: first?.id,
    indexed_at_ms: expect.any(Number),
    event: { n: 1 },
    metadata: {
      emitter_id: channel.id,
      emit_id: first?.id,
      run_id: null,
      trace_id: expect.any(String),
      name: 'paid',
      id: 'a',
      summary: 'first',
      ts: 5,
    },
  });
  const many = published(await publish({ events: [{ event: null }, { event: 2, id: 'a' }, { event: 3, ts: 1 }] }));
  expect(many.map(({ duplicate }) => duplicate)).toEqual([false, true, false]);
  expect(many[1]?.id).toBe(first?.id);
  const number = (id = ''): number => Number(id.split('-')[1]);
  expect([number(many[2]?.id), number(many[0]?.id)]).toEqual([1, 2]);
  expect((await bed.call('GET', `/v1/sources/${channel.id}/runs`)).body.data).toEqual([]);
});

test('accepts a thousand events at once, and an event nested 256 levels deep', async () => {
  const events = Array.from({ length: 1_000 }, (_, n) => ({ event: { n, list: [n, n, n] }, id: `many ${n}` }));
  const answer = await publish({ events });
  expect(new Set(published(answer).map(({ id }) => id)).size).toBe(1_000);
  expect((await publish({ event: nestedArrays(256) })).status).toBe(200);
  expect((await publish({ events: [{ event: nestedArrays(256) }] })).status).toBe(200);
});

test('a repeat with the same Idempotency-Key returns the same ids, and different events are published', async () => {
  const headers = { 'idempotency-key': 'key' };
  const first = published(await publish({ events: [{ event: 1 }, { event: 1 }] }, { headers }));
  const again = published(await publish({ events: [{ event: 1 }, { event: 1 }] }, { headers }));
  expect(again).toEqual(first.map(({ id }) => ({ id, duplicate: true })));
  expect(published(await publish({ event: 2 }, { headers }))[0]?.duplicate).toBe(false);
});

const deep = nestedArrays(257);
test.each([
  [{}, 'event'],
  [{ event: 1, id: '' }, 'id'],
  [{ event: 1, id: true }, 'id'],
  [{ event: 1, id: 2 ** 53 }, 'id'],
  [{ event: 1, id: -(2 ** 53) }, 'id'],
  [{ event: 1, id: 1e300 }, 'id'],
  [{ event: 1, name: '$errors' }, 'name'],
  [{ event: 1, name: 'x'.repeat(256) }, 'name'],
  [{ event: 1, summary: 5 }, 'summary'],
  [{ event: 1, ts: 1.5 }, 'ts'],
  [{ event: 1, data: 5 }, 'data'],
  [{ event: deep }, 'event'],
  [{ events: [] }, 'events'],
  [{ events: {} }, 'events'],
  [{ events: Array.from({ length: 1_001 }, () => ({ event: 1 })) }, 'events'],
  [{ event: 1, events: [{ event: 1 }] }, 'event'],
  [{ events: [{ event: 1 }, 5] }, 'events[1]'],
  [{ events: [{ event: 1 }, { id: 1 }] }, 'events[1].event'],
  [{ events: [{ event: 1, id: 2 ** 64 }] }, 'events[0].id'],
  [{ events: [{ event: 1, delivery_ts: 5 }] }, 'events[0]'],
  [{ events: [{ event: 1, name: '$in' }] }, 'events[0].name'],
])('refuses invalid events without emitting any (case %#)', async (body, field) => {
  const emitted = (): number => bed.log.records('channels').length;
  const before = emitted();
  const answer = await publish(body);
  expect([answer.status, answer.body.code]).toEqual([400, 'invalid_request']);
  expect(answer.body.details).toMatchObject({ problems: [{ field }] });
  expect(emitted()).toBe(before);
});

test('accepts the largest exact JSON numbers as ids, and distinguishes larger ones as texts', async () => {
  const ids = [Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER, 1.5, '12345678901234567890', '12345678901234567891'];
  const answer = published(await publish({ events: ids.map((id) => ({ event: 1, id })) }));
  expect(answer.map(({ duplicate }) => duplicate)).toEqual(ids.map(() => false));
  const refused = await publish({ event: 1, id: 2 ** 60 });
  const message = 'id is a number above 2^53, which JSON numbers do not hold exactly: send it as text';
  expect(refused.body.details).toEqual({ problems: [{ field: 'id', message }] });
});

test('answers 413 to more than 512 KiB of events or to a body above its limit', async () => {
  const event = 'x'.repeat(300_000);
  for (const events of [[{ event }, { event }], Array.from({ length: 4 }, () => ({ event }))]) {
    const answer = await publish({ events });
    expect([answer.status, answer.body.code]).toEqual([413, 'too_large']);
  }
});

test('accepts 512 KiB of events and not a byte more, whatever other fields there are', async () => {
  const textOf = (bytes: number): string => 'x'.repeat(bytes - 2);
  const half = sizes.publishedBytes / 2;
  const beside = { id: 'large', name: 'c', summary: 'é'.repeat(240_000) };
  for (const more of [{}, beside]) {
    expect((await publish({ ...more, event: textOf(sizes.publishedBytes) })).status).toBe(200);
    const answer = await publish({ ...more, event: textOf(sizes.publishedBytes + 1) });
    expect([answer.status, answer.body.error]).toEqual([413, expect.stringContaining(`${sizes.publishedBytes + 1}`)]);
  }
  expect((await publish({ events: [{ event: textOf(half) }, { event: textOf(half) }] })).status).toBe(200);
  expect((await publish({ events: [{ event: textOf(half) }, { event: textOf(half + 1) }] })).status).toBe(413);
});

test('refuses to publish without a key or to a source that is not a channel, and what a channel cannot do', async () => {
  const status = async (pending: Promise<Answer>): Promise<unknown> => {
    const { status: code, body } = await pending;
    return [code, body.code];
  };
  const anonymous = bed.send('POST', `/v1/sources/${channel.id}/events`, { body: { event: 1 } });
  expect(await status(anonymous)).toEqual([401, 'unauthorized']);
  expect(await status(publish({ event: 1 }, { id: component.id }))).toEqual([409, 'not_a_channel']);
  for (const id of ['dc_0000000000000000', 'nothing'])
    expect(await status(publish({ event: 1 }, { id }))).toEqual([404, 'not_found']);
  for (const what of ['run', 'sample'])
    expect(await status(bed.call('POST', `/v1/sources/${channel.id}/${what}`))).toEqual([409, 'is_channel']);
  const body = { emitter_id: component.id, listener_id: channel.id };
  expect(await status(bed.call('POST', '/v1/subscriptions', { body }))).toEqual([404, 'not_found']);
  const update = bed.call('PUT', `/v1/sources/${channel.id}`, { body: { component_code: 'coded' } });
  expect(await status(update)).toEqual([400, 'component_invalid']);
});

test('an inactive channel accepts nothing until it is active again, and a deleted one is not found', async () => {
  const { id } = sourceOf(await create({ kind: 'channel', name: 'Coming and going' }));
  const put = (body: object): Promise<Answer> => bed.call('PUT', `/v1/sources/${id}`, { body });
  expect(sourceOf(await put({ active: false, name: 'Gone' }))).toMatchObject({ state: 'inactive', name: 'Gone' });
  expect(
    (
      await until('the channel to refuse', async () => {
        const answer = await publish({ event: 1 }, { id });
        return answer.status === 409 && answer;
      })
    ).body.code,
  ).toBe('source_inactive');
  await put({ active: true });
  await until('the channel to accept', async () => (await publish({ event: 1 }, { id })).status === 200);
  expect((await bed.call('DELETE', `/v1/sources/${id}`)).status).toBe(204);
  expect((await publish({ event: 1 }, { id })).status).toBe(404);
});

test('answers 429 with Retry-After while the channel is full', async () => {
  const { id } = sourceOf(await create({ kind: 'channel', name: 'Full' }));
  bed.log.reply('*', { type: 'SourceFull', sourceId: id });
  const full = await until('the source to be full', async () => {
    const answer = await publish({ event: 1 }, { id });
    return answer.status === 429 && answer;
  });
  expect([full.body.code, full.headers['retry-after']]).toEqual(['too_many_requests', '1']);
  bed.log.reply('*', { type: 'SourceFree', sourceId: id });
  await until('the channel to accept', async () => (await publish({ event: 1 }, { id })).status === 200);
});

test('answers 503 unknown_outcome when runtime gives no outcome in time, and says that ids make a repeat safe', async () => {
  const other = await TestBed.start({ limits: { publishMs: 200 } });
  const created = await other.call('POST', '/v1/sources', { body: { kind: 'channel', name: 'Slow' } });
  await other.stopStages();
  const answer = await other.call('POST', `/v1/sources/${sourceOf(created).id}/events`, { body: { event: 1 } });
  expect([answer.status, answer.body.code, answer.headers['retry-after']]).toEqual([503, 'unknown_outcome', '1']);
  expect(answer.body.error).toMatch(/runtime.*same ids or the same Idempotency-Key/);
  await other.stop();
});
