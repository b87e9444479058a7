import type { Manifest } from '../../../../domain/component/manifest.ts';
import { eventOrder } from '../../../../domain/channel/event-id.ts';
import { TestBed } from '../../test-bed.fake.ts';

const manifest: Manifest = {
  name: 'Quiet',
  version: '0.0.1',
  type: 'source',
  props: [],
  hooks: [],
  methods: [],
  additionalProps: false,
};

let bed: TestBed;
let emitter_id: string;
let listener_id: string;
beforeAll(async () => {
  bed = await TestBed.start();
  bed.components.set('quiet', { manifest });
  const create = async (path: string, body: object): Promise<string> =>
    ((await bed.call('POST', path, { body })).body.data as { id: string }).id;
  emitter_id = await create('/v1/sources', { component_code: 'quiet' });
  listener_id = await create('/v1/webhooks', { url: 'https://example.com/' });
});
afterAll(() => bed?.stop());

type Subscription = Readonly<Record<'id' | 'emitter_id' | 'listener_id' | 'event_name', string>>;

async function subscribe(query: Record<string, string>): Promise<Subscription> {
  const answer = await bed.call('POST', '/v1/subscriptions', { query });
  expect(answer.status).toBe(200);
  const [subscription] = answer.body.data as Subscription[];
  if (subscription === undefined) throw new Error('no subscription in the answer');
  return subscription;
}

test('a subscription can be created by query string, read, listed, and deleted by its triple', async () => {
  const created = await subscribe({ emitter_id, listener_id });
  expect(created).toMatchObject({ id: expect.stringMatching(/^sub_/), emitter_id, listener_id, event_name: '' });
  expect((await bed.call('GET', `/v1/subscriptions/${created.id}`)).body.data).toMatchObject({
    ...created,
    state: 'active',
  });
  for (const list of ['/v1/subscriptions', '/v1/users/me/subscriptions/']) {
    expect((await bed.call('GET', list)).body.data).toEqual([created]);
  }
  const query = { emitter_id, listener_id, event_name: '' };
  expect((await bed.call('DELETE', '/v1/subscriptions', { query })).status).toBe(204);
  expect((await bed.call('GET', '/v1/subscriptions')).body.data).toEqual([]);
  expect((await bed.call('DELETE', '/v1/subscriptions', { query })).status).toBe(404);
});

test('repeating a triple returns the same subscription, and lists filter by source or listener', async () => {
  const first = await subscribe({ emitter_id, listener_id, event_name: 'a' });
  expect(await subscribe({ emitter_id, listener_id, event_name: 'a' })).toEqual(first);
  const other = await subscribe({ emitter_id: 'dc_*', listener_id, event_name: 'a' });
  expect(other.id).not.toBe(first.id);
  const listed = async (query: Record<string, string>): Promise<unknown> => {
    const { body } = await bed.call('GET', '/v1/subscriptions', { query });
    return [(body.data as Subscription[]).map(({ id }) => id), body.page_info?.['total_count']];
  };
  expect(await listed({ listener_id })).toEqual([[other.id, first.id], 2]);
  expect(await listed({ listener_id, limit: '1' })).toEqual([[other.id], 2]);
  expect(await listed({ emitter_id })).toEqual([[first.id], 1]);
  expect(await listed({ emitter_id: 'dc_*' })).toEqual([[other.id], 1]);
  expect(await listed({ listener_id: 'wh_0000000000000000' })).toEqual([[], 0]);
  expect((await bed.call('GET', '/v1/subscriptions', { query: { emitter_id, listener_id } })).status).toBe(400);
  for (const { id } of [first, other]) expect((await bed.call('DELETE', `/v1/subscriptions/${id}`)).status).toBe(204);
});

test.each([
  ['emitter_id', { emitter_id: 'dc_0000000000000000' }],
  ['listener_id', { listener_id: 'wh_0000000000000000' }],
])('answers 404 to an unknown %s, and names the field', async (field, change) => {
  const answer = await bed.call('POST', '/v1/subscriptions', { body: { emitter_id, listener_id, ...change } });
  expect([answer.status, answer.body]).toEqual([
    404,
    { error: `record not found: ${field} names no record in this workspace`, code: 'not_found', details: { field } },
  ]);
});

test.each([
  ['no source', { emitter_id: undefined }],
  ['a webhook as a source', { emitter_id: 'wh_1' }],
  ['every source as a listener', { listener_id: 'dc_*' }],
  ['a workflow as a listener', { listener_id: 'p_1' }],
  ['a number for the channel', { event_name: 1 }],
  ['$audit of one source', { event_name: '$audit' }],
  ['an unknown field', { nope: 1 }],
])('answers 400 to a subscription with %s', async (_name, change) => {
  const answer = await bed.call('POST', '/v1/subscriptions', { body: { emitter_id, listener_id, ...change } });
  expect([answer.status, answer.body.code]).toEqual([400, 'invalid_request']);
});

test.each(['earliest', { time: 1 }, { event_id: '1-0' }])(
  'answers 400 to a subscription to $logs that begins in the past, with %j, and says why',
  async (start) => {
    const body = { emitter_id, listener_id, event_name: '$logs', start };
    const answer = await bed.call('POST', '/v1/subscriptions', { body });
    expect([answer.status, answer.body.error]).toEqual([
      400,
      expect.stringContaining('start: must be "now" with $logs'),
    ]);
  },
);

test('a subscription to $audit is one to every source', async () => {
  const { id, ...made } = await subscribe({ emitter_id: 'dc_*', listener_id, event_name: '$audit' });
  expect(made).toMatchObject({ emitter_id: 'dc_*', event_name: '$audit' });
  expect((await bed.call('DELETE', `/v1/subscriptions/${id}`)).status).toBe(204);
});

test('lists deliveries with their attempts, by state and in pages, even after the subscription is deleted', async () => {
  const { id, ...triple } = await subscribe({ emitter_id, listener_id, event_name: 'd' });
  const workspace = bed.log.records('workspaces')[0]?.workspace ?? '';
  const messageId = (n: number): string => `msg_000000000000000${n}`;
  await bed.views.live().put(
    [0, 1, 2].map((n) => ({
      view: 'deliveries',
      id: messageId(n),
      version: n + 1,
      value: {
        workspace,
        subscriptionId: id,
        webhookId: listener_id,
        emitterId: emitter_id,
        eventId: `1000-${n}`,
        order: eventOrder(`1000-${n}`),
        channel: 'd',
        webhookMessageId: messageId(n),
        state: n === 1 ? 'failing' : 'delivered',
        attemptCount: 1,
        nextAttemptAt: null,
        parkedReason: null,
        updatedAt: 5,
        attempts: [
          {
            attempt: 1,
            outcome: 'delivered',
            status: 200,
            failure: null,
            message: null,
            answer: 'ok',
            startedAt: 4,
            durationMs: 1,
          },
        ],
      },
    })),
  );
  const deliveries = async (query: Record<string, string>): Promise<string[]> => {
    const { body } = await bed.call('GET', `/v1/subscriptions/${id}/deliveries`, { query });
    return (body.data as { id: string }[]).map((delivery) => delivery.id.replace(/0{15}/, ''));
  };
  expect(await deliveries({})).toEqual(['msg_2', 'msg_1', 'msg_0']);
  expect(await deliveries({ state: 'failing' })).toEqual(['msg_1']);
  const { body } = await bed.call('GET', `/v1/subscriptions/${id}/deliveries`, { query: { limit: '1' } });
  expect(body.data).toMatchObject([{ event_id: '1000-2', attempts: [{ status: 200, answer: 'ok', duration_ms: 1 }] }]);
  expect(await deliveries({ after: String(body.page_info?.['end_cursor']) })).toEqual(['msg_1', 'msg_0']);
  await bed.call('DELETE', '/v1/subscriptions', {
    body: { ...triple, created_at: undefined, filter: undefined, transform: undefined },
  });
  expect((await bed.call('GET', `/v1/subscriptions/${id}`)).status).toBe(404);
  expect(await deliveries({ limit: '1' })).toEqual(['msg_2']);
});
