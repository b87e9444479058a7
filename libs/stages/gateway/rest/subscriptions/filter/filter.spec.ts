import { eventKey, eventOrder } from '../../../../../domain/views/index.ts';
import type { Manifest } from '../../../../../domain/component/manifest.ts';
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
const filter = { action: ['opened'] };

let bed: TestBed;
let emitter_id: string;
let listener_id: string;
beforeAll(async () => {
  bed = await TestBed.start();
  bed.components.set('quiet', { manifest });
  emitter_id = await create('/v1/sources', { component_code: 'quiet' });
  listener_id = await create('/v1/webhooks', { url: 'https://example.com/' });
});
afterAll(() => bed?.stop());

async function create(path: string, body: object): Promise<string> {
  const { data } = (await bed.call('POST', path, { body })).body;
  return ((Array.isArray(data) ? data[0] : data) as { id: string }).id;
}

const subscribe = (event_name: string, more: object = {}): Promise<string> =>
  create('/v1/subscriptions', { emitter_id, listener_id, event_name, ...more });

/** Drops the reports that a change has its place among the events of these partitions. */
function silence(partitions: readonly number[]): () => void {
  const tell = bed.log.reply.bind(bed.log);
  bed.log.reply = (gateway, reply) => {
    if (reply.type !== 'FilterTaken' || !partitions.includes(reply.partition)) tell(gateway, reply);
  };
  return () => {
    bed.log.reply = tell;
  };
}

const put = (id: string, body: object): Promise<Answer> => bed.call('PUT', `/v1/subscriptions/${id}`, { body });

test('a subscription shows its filter, and an update is answered once the change has its place among the events', async () => {
  const id = await subscribe('a', { filter });
  expect((await bed.call('GET', `/v1/subscriptions/${id}`)).body.data).toMatchObject({ id, filter });
  const changes = (): number => bed.log.records('channels').filter(({ key }) => key === id).length;
  const answer = await put(id, { filter: { n: [1] } });
  expect([answer.status, answer.body.data, changes()]).toMatchObject([200, { id, filter: { n: [1] } }, 1]);
  expect((await bed.call('GET', `/v1/subscriptions/${id}`)).body.data).toMatchObject({ filter: { n: [1] } });
  const none = await put(id, { filter: null });
  expect([none.status, none.body.data, changes()]).toMatchObject([200, { filter: null }, 2]);
  expect((await put(id, {})).body.data).toMatchObject({ filter: null });
});

test('answers 202 until the change has its place among the events of all partitions, and the update can be repeated', async () => {
  const id = await create('/v1/subscriptions', { emitter_id: 'dc_*', listener_id });
  const speak = silence([1]);
  const some = await bed.withLimits({ filterMs: 100 }, () => put(id, { filter }));
  speak();
  expect([some.status, some.body.data]).toMatchObject([202, { id, filter }]);
  const all = await put(id, { filter });
  expect(all.status).toBe(200);
});

test('accepts a filter as JSON in the query string', async () => {
  const query = { emitter_id, listener_id, event_name: 'q', filter: JSON.stringify(filter) };
  expect((await bed.call('POST', '/v1/subscriptions', { query })).body.data).toMatchObject([{ filter }]);
});

test('refuses an invalid filter and names the place', async () => {
  const id = await subscribe('wrong');
  const wrong = { filter: { action: [{ prefix: 5 }] } };
  const message = 'filter/action/0/prefix must be a text of at least one character';
  for (const answer of [
    await put(id, wrong),
    await bed.call('POST', `/v1/subscriptions/${id}/preview`, { body: { ...wrong, event: {} } }),
    await bed.call('POST', '/v1/subscriptions', { body: { emitter_id, listener_id, ...wrong } }),
  ])
    expect([answer.status, answer.body]).toMatchObject([
      400,
      { code: 'invalid_request', details: { problems: [{ field: 'filter', message }] } },
    ]);
  expect((await put(id, { filter: [] })).status).toBe(400);
});

test('an unknown subscription cannot be updated or previewed', async () => {
  for (const id of ['sub_0000000000000000', 'nonsense']) {
    expect((await put(id, { filter })).status).toBe(404);
    expect((await bed.call('POST', `/v1/subscriptions/${id}/preview`, { body: { event: {} } })).status).toBe(404);
  }
});

describe('a preview', () => {
  const preview = async (id: string, body: object): Promise<unknown> =>
    (await bed.call('POST', `/v1/subscriptions/${id}/preview`, { body })).body.data;

  test('says whether an event matches the filter, and which field does not', async () => {
    const id = await subscribe('p', { filter });
    expect(await preview(id, { event: { action: 'opened' } })).toEqual({
      matches: true,
      reason: null,
      transformed: null,
      error: null,
    });
    const reason = '/action is not as the filter wants it';
    expect(await preview(id, { event: { action: 'closed' } })).toMatchObject({ matches: false, reason });
    expect(await preview(id, { event: { action: 'closed' }, filter: null })).toMatchObject({ matches: true });
    expect(await preview(id, { event: 1, filter: { a: [1] } })).toMatchObject({ matches: false });
  });

  test('needs an event or the id of one, and says so', async () => {
    const id = await subscribe('p1', { filter });
    for (const [body, message] of [
      [{}, 'event or event_id is needed'],
      [{ event: {}, event_id: '1-0' }, 'event cannot be given together with event_id'],
    ] as const) {
      const answer = await bed.call('POST', `/v1/subscriptions/${id}/preview`, { body });
      expect([answer.status, answer.body.details]).toMatchObject([400, { problems: [{ field: 'event', message }] }]);
    }
  });

  test('accepts the id of an emitted event, which must be on the channel of the subscription', async () => {
    const id = await subscribe('p2', { filter });
    const every = await create('/v1/subscriptions', { emitter_id: 'dc_*', listener_id, event_name: 'p2' });
    const workspace = bed.log.records('workspaces')[0]?.workspace ?? '';
    const put = (eventId: string, channel: string, event: object) => ({
      view: 'events',
      id: eventKey(emitter_id, eventId),
      version: 1,
      value: {
        workspace,
        emitterId: emitter_id,
        eventId,
        listedUnder: emitter_id,
        order: eventOrder(eventId),
        channel,
        runId: 'run_1',
        emittedAt: 1,
        emit: {},
        event: { ...event },
      },
    });
    await bed.views.live().put([put('1-0', 'p2', { action: 'closed' }), put('1-1', 'other', { action: 'opened' })]);
    expect(await preview(id, { event_id: '1-0' })).toMatchObject({ matches: false });
    expect(await preview(id, { event_id: '1-1' })).toMatchObject({
      matches: false,
      reason: expect.stringContaining('channel') as string,
    });
    expect(await preview(every, { event_id: '1-0', emitter_id })).toMatchObject({ matches: true });
    const status = async (of: string, body: object): Promise<number> =>
      (await bed.call('POST', `/v1/subscriptions/${of}/preview`, { body })).status;
    expect([await status(id, { event_id: '1-9' }), await status(every, { event_id: '1-0' })]).toEqual([404, 400]);
    expect([await status(id, {}), await status(id, { event_id: '1-0', event: {} })]).toEqual([400, 400]);
  });
});
