// Setting, changing and previewing transforms through the API, with delivery running.
import { randomBytes } from 'node:crypto';
import { pino } from 'pino';
import type { Manifest } from '../../../../../domain/component/manifest.ts';
import { FakeTransformer } from '../../../../../sandbox/transformer.fake.ts';
import { FakeWebhook } from '../../../../../webhooks/webhook.fake.ts';
import { DeliveryStage } from '../../../../delivery/delivery.stage.ts';
import { StageLoop } from '../../../../loop/stage-loop.ts';
import { TestBed } from '../../../test-bed.fake.ts';
import type { Answer } from '../../../test-bed.fake.ts';

const manifest: Manifest = {
  name: 'Quiet',
  version: '0.0.1',
  type: 'source',
  props: [],
  hooks: [],
  methods: [],
  additionalProps: false,
};
const transform =
  '({ n }, { event_name }) => (n === 0 ? null : { body: { n, event_name }, headers: { "x-n": `${n}` } })';

let bed: TestBed;
let delivery: StageLoop;
let emitter_id: string;
let listener_id: string;

beforeAll(async () => {
  bed = await TestBed.start();
  bed.components.set('quiet', { manifest });
  const { masterKey, alerts } = bed.settings;
  const ambient = { now: Date.now, randomBytes };
  const ports = { webhook: new FakeWebhook(), transformer: new FakeTransformer() };
  const stage = new DeliveryStage({ ...ports, masterKey, ambient, logError: () => {}, limits: { flushMs: 5 } });
  delivery = new StageLoop(stage, bed.log, pino({ level: 'silent' }), { alerts: alerts.forStage('delivery') });
  delivery.start((error) => bed.fatal.push(error));
  emitter_id = idOf(await bed.call('POST', '/v1/sources', { body: { component_code: 'quiet' } }));
  listener_id = idOf(await bed.call('POST', '/v1/webhooks', { body: { url: 'https://example.com/' } }));
});
afterAll(async () => {
  await delivery?.stop(0);
  await bed?.stop();
});

function idOf({ body: { data } }: Answer): string {
  return ((Array.isArray(data) ? data[0] : data) as { id: string }).id;
}

const create = (body: object): Promise<Answer> =>
  bed.call('POST', '/v1/subscriptions', { body: { emitter_id, listener_id, ...body } });
const put = (id: string, body: object): Promise<Answer> => bed.call('PUT', `/v1/subscriptions/${id}`, { body });
const dataOf = async (id: string): Promise<unknown> => (await bed.call('GET', `/v1/subscriptions/${id}`)).body.data;
const preview = async (id: string, body: object): Promise<unknown> =>
  (await bed.call('POST', `/v1/subscriptions/${id}/preview`, { body })).body.data;

test('a transform of a subscription can be set, changed and removed, and survives a filter change', async () => {
  const id = idOf(await create({ event_name: 'a', transform }));
  expect(await dataOf(id)).toMatchObject({ transform, filter: null });
  const filter = { n: [1] };
  expect(await put(id, { filter })).toMatchObject({ status: 200, body: { data: { transform, filter } } });
  const other = '() => ({ body: 1 })';
  expect(await put(id, { transform: other })).toMatchObject({
    status: 200,
    body: { data: { transform: other, filter } },
  });
  expect(await dataOf(id)).toMatchObject({ transform: other, filter });
  expect(await put(id, { transform: null })).toMatchObject({
    status: 200,
    body: { data: { transform: null, filter } },
  });
  expect(await dataOf(id)).toMatchObject({ transform: null, filter });
});

test('refuses a transform that is not a function, with the line and column of a syntax error', async () => {
  const id = idOf(await create({ event_name: 'b' }));
  const wrong = '(event) => {\n  return { body: event ]\n}';
  const refused = { status: 400, body: { code: 'invalid_request', details: { line: 2, column: 24 } } };
  for (const answer of [await create({ event_name: 'c', transform: wrong }), await put(id, { transform: wrong })])
    expect(answer).toMatchObject(refused);
  for (const text of ['42', '', 7, `() => ({ body: "${'x'.repeat(33_000)}" })`])
    expect(await put(id, { transform: text })).toMatchObject({
      status: 400,
      body: { details: { problems: [{ field: 'transform' }] } },
    });
  const { details = {} } = (await put(id, { transform: '42' })).body;
  expect(Object.keys(details)).toEqual(['problems']);
  expect(await dataOf(id)).toMatchObject({ transform: null });
  const { data } = (await bed.call('GET', '/v1/subscriptions')).body;
  expect((data as { event_name: string }[]).map(({ event_name }) => event_name)).not.toContain('c');
});

test('a subscription of a source can have a transform', async () => {
  const created = await create({ listener_id: emitter_id, event_name: 'to a source', transform });
  expect(created).toMatchObject({ status: 200, body: { data: [{ listener_id: emitter_id, transform }] } });
  expect(await create({ listener_id: emitter_id, event_name: 'not', transform: '() => (' })).toMatchObject({
    status: 400,
    body: { details: { line: expect.any(Number) as number } },
  });
});

test('accepts a transform and a filter near their size limits together', async () => {
  const long = `() => ({ body: 1 }) // ${'\n'.repeat(32_000)}`;
  const filter = { a: ['x'.repeat(15_000)] };
  expect(await create({ event_name: 'large', transform: long, filter })).toMatchObject({ status: 200 });
});

test('a preview shows the transformed event, that the event is dropped, or where the transform fails', async () => {
  const id = idOf(await create({ event_name: 'p', transform, filter: { n: [{ exists: true }] } }));
  const shows = { matches: true, reason: null, transformed: null, error: null };
  const transformed = { body: { n: 3, event_name: 'p' }, headers: { 'x-n': '3' } };
  expect(await preview(id, { event: { n: 3 } })).toEqual({ ...shows, transformed });
  expect(await preview(id, { event: { n: 0 } })).toMatchObject({ matches: false, reason: 'The transform drops it' });
  expect(await preview(id, { event: {} })).toMatchObject({ matches: false, transformed: null });
  expect(await preview(id, { event: { n: 3 }, transform: null })).toEqual(shows);
  const other = { transform: '(event) => {\n  return event.a.b;\n}' };
  expect(await preview(id, { event: { n: 1 }, ...other })).toMatchObject({ matches: true, error: { line: 2 } });
  expect(await preview(id, { event: { n: 1 }, transform: '() => ({})' })).toMatchObject({
    transformed: { body: { n: 1 }, headers: {} },
  });
});

test('a change without room asks delivery which former filters events still need, and is made or refused', async () => {
  const id = idOf(await create({ event_name: 'full', transform }));
  const long = (n: number): string => `/*${'x'.repeat(30_000)}${n}*/() => null`;
  for (let n = 0; n < 10; n++) expect((await put(id, { transform: long(n) })).status).toBe(200);
  const types = bed.log.records('listeners').map(({ type }) => type);
  expect(types).toContain('SubscriptionUpdateRefused');
  const { find: of } = bed.parts.neededFilters;
  bed.parts.neededFilters.find = () => Promise.resolve({ neededFrom: 0 });
  const refused = await put(id, { transform: long(10) });
  bed.parts.neededFilters.find = of;
  expect(refused).toMatchObject({ status: 409, body: { code: 'filters_needed' } });
  expect(await dataOf(id)).toMatchObject({ transform: long(9) });
});

test('answers 503 to a new transform when delivery is down', async () => {
  const id = idOf(await create({ event_name: 'q' }));
  await delivery.stop(0);
  Object.assign(bed.parts.limits, { trialMs: 50 });
  expect(await put(id, { transform })).toMatchObject({ status: 503 });
});
