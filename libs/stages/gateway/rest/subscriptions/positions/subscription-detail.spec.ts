import { eventKey, eventOrder } from '../../../../../domain/views/index.ts';
import type { Manifest } from '../../../../../domain/component/manifest.ts';
import { TestBed } from '../../../test-bed.fake.ts';

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
let workspace: string;
let emitter_id: string;
let listener_id: string;
let version = 1_000;
beforeAll(async () => {
  bed = await TestBed.start();
  bed.components.set('quiet', { manifest });
  emitter_id = await create('/v1/sources', { component_code: 'quiet' });
  listener_id = await create('/v1/webhooks', { url: 'https://example.com/' });
  workspace = bed.log.records('workspaces')[0]?.workspace ?? '';
});
afterAll(() => bed?.stop());

async function create(path: string, body: object): Promise<string> {
  const { data } = (await bed.call('POST', path, { body })).body;
  return ((Array.isArray(data) ? data[0] : data) as { id: string }).id;
}

const counters = { published: 0, delivered: 0, parked: 0, filtered: 0, expired: 0, pending: 0 };

const putPosition = (subscriptionId: string, emitterId: string, change: object): Promise<void> =>
  bed.views.live().put([
    {
      view: 'positions',
      id: `${subscriptionId}/${emitterId}`,
      version: version++,
      value: {
        workspace,
        subscriptionId,
        emitterId,
        epoch: 1,
        counters,
        retrying: 0,
        eventId: null,
        failed: null,
        retryAt: null,
        updatedAt: 5,
        ...change,
      },
    },
  ]);

const putEvents = (channel: string, ids: readonly string[]): Promise<void> =>
  bed.views.live().put(
    ids.map((eventId) => ({
      view: 'events',
      id: eventKey(emitter_id, eventId),
      version: version++,
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
        event: {},
      },
    })),
  );

const detail = async (id: string): Promise<Record<string, unknown>> =>
  (await bed.call('GET', `/v1/subscriptions/${id}`)).body.data as Record<string, unknown>;

test('a subscription shows its position, counters, lag on its channel and last error', async () => {
  const id = await create('/v1/subscriptions', { emitter_id, listener_id, event_name: 'lagging' });
  expect(await detail(id)).toMatchObject({ id, state: 'active', counters, positions: [] });
  const now = Date.now();
  await putEvents('lagging', [`${now - 9_000}-0`, `${now - 8_000}-1`, `${now - 4_000}-2`]);
  await putEvents('other', [`${now - 4_000}-3`]);
  const own = { ...counters, published: 1, delivered: 1 };
  await putPosition(id, emitter_id, { counters: own, eventId: `${now - 9_000}-0` });
  const { positions } = (await detail(id)) as { positions: { lag: { seconds: number } }[] };
  expect(positions).toMatchObject([
    {
      emitter_id,
      state: 'active',
      sequence: 1,
      event_id: `${now - 9_000}-0`,
      event_at_ms: now - 9_000,
      lag: { events: 2, capped: false },
      counters: own,
      last_error: null,
      next_attempt_at_ms: null,
    },
  ]);
  expect(positions[0]?.lag.seconds).toBeGreaterThanOrEqual(8);
  expect(positions[0]?.lag.seconds).toBeLessThan(60);
});

test('a subscription that waits for a retry is blocked, and its lag counts from that event', async () => {
  const id = await create('/v1/subscriptions', { emitter_id, listener_id, event_name: 'stuck' });
  const at = Date.now() - 100_000;
  const failed = { eventId: `${at}-0`, at: at + 5, status: 503, failure: null };
  const own = { ...counters, published: 1, pending: 1 };
  await putPosition(id, emitter_id, { counters: own, retrying: 1, eventId: `${at}-0`, failed, retryAt: at + 200_000 });
  const shownDetail = (await detail(id)) as { positions: { lag: { seconds: number } }[] };
  const last_error = { event_id: `${at}-0`, status: 503, failure: null, at_ms: at + 5 };
  expect(shownDetail).toMatchObject({
    state: 'blocked',
    counters: own,
    positions: [{ state: 'blocked', last_error, next_attempt_at_ms: at + 200_000, lag: { events: 0 } }],
  });
  expect(shownDetail.positions[0]?.lag.seconds).toBeGreaterThanOrEqual(100);
});

test('no attempt is due while the webhook is paused, not in the list of positions either', async () => {
  const webhook = await create('/v1/webhooks', { url: 'https://example.com/paused' });
  const id = await create('/v1/subscriptions', { emitter_id, listener_id: webhook, event_name: 'paused' });
  const own = { ...counters, published: 1, pending: 1 };
  await putPosition(id, emitter_id, { counters: own, retrying: 1, retryAt: 99 });
  const positions = async (): Promise<unknown> =>
    (await bed.call('GET', `/v1/subscriptions/${id}/positions`)).body.data;
  const due = [{ state: 'blocked', next_attempt_at_ms: 99 }];
  expect(await detail(id)).toMatchObject({ positions: due });
  expect(await positions()).toMatchObject(due);
  await bed.call('POST', `/v1/webhooks/${webhook}/pause`);
  const paused = [{ state: 'blocked', next_attempt_at_ms: null }];
  expect(await detail(id)).toMatchObject({ state: 'paused', positions: paused });
  expect(await positions()).toMatchObject(paused);
});

test('shows no lag for a position without an event id or on $logs', async () => {
  const old = await create('/v1/subscriptions', { emitter_id, listener_id, event_name: 'old' });
  await putPosition(old, emitter_id, { counters: { ...counters, published: 3, delivered: 3 } });
  const logs = await create('/v1/subscriptions', { emitter_id, listener_id, event_name: '$logs' });
  await putPosition(logs, emitter_id, { eventId: '1-0' });
  for (const id of [old, logs]) expect(await detail(id)).toMatchObject({ positions: [{ lag: null }] });
});

test('a subscription to every source sums all positions and shows the first hundred', async () => {
  const id = await create('/v1/subscriptions', { emitter_id: 'dc_*', listener_id });
  const idOf = (n: number): string => `dc_${String(n).padStart(16, '0')}`;
  const all = Array.from({ length: 1_050 }, (_, n) => n);
  const own = { ...counters, published: 2, delivered: 1, pending: 1 };
  for (const n of all) await putPosition(id, idOf(n), { counters: own, eventId: '1-0' });
  const shownDetail = (await detail(id)) as { positions: { emitter_id: string }[] };
  expect(shownDetail).toMatchObject({ counters: { published: 2_100, delivered: 1_050, pending: 1_050 } });
  expect(shownDetail.positions.map((one) => one.emitter_id)).toEqual(all.slice(0, 100).map(idOf));
});

test('lists each position of a subscription to many sources once, in pages', async () => {
  const id = await create('/v1/subscriptions', { emitter_id: 'dc_*', listener_id, event_name: 'many' });
  const idOf = (n: number): string => `dc_${String(n).padStart(16, '0')}`;
  const all = Array.from({ length: 450 }, (_, n) => n);
  for (const n of all) await putPosition(id, idOf(n), { eventId: '1-0' });
  const page = async (query: Record<string, string>) => {
    const { body } = await bed.call('GET', `/v1/subscriptions/${id}/positions`, { query });
    const data = body.data as { emitter_id: string }[];
    return {
      info: body.page_info as { end_cursor: string; start_cursor: string },
      ids: data.map((one) => one.emitter_id),
    };
  };
  const listed: string[] = [];
  for (let query: Record<string, string> = { limit: '100' }; ;) {
    const { ids, info } = await page(query);
    if (ids.length === 0) break;
    listed.push(...ids);
    query = { limit: '100', after: info.end_cursor };
  }
  expect(listed).toEqual(all.map(idOf));
  const second = await page({ limit: '2', after: (await page({ limit: '2' })).info.end_cursor });
  expect(second.ids).toEqual([idOf(2), idOf(3)]);
  expect((await page({ limit: '2', before: second.info.start_cursor })).ids).toEqual([idOf(0), idOf(1)]);
  expect((await page({ emitter_id: idOf(449) })).ids).toEqual([idOf(449)]);
  expect((await page({ emitter_id: 'dc_none' })).ids).toEqual([]);
  const foreign = await bed.call('GET', `/v1/subscriptions/${id}/positions`, { query: { after: 'c3ViXzE' } });
  expect(foreign.status).toBe(400);
});

test('a subscription to a disabled webhook is shown as disabled', async () => {
  const webhook = await create('/v1/webhooks', { url: 'https://example.com/gone' });
  const id = await create('/v1/subscriptions', { emitter_id, listener_id: webhook, event_name: 'gone' });
  const document = await bed.views.live().get('webhooks', webhook);
  const value = { ...document?.value, active: false, disabled: 'gone' };
  await bed.views.live().put([{ view: 'webhooks', id: webhook, version: (document?.version ?? 0) + 1, value }]);
  expect(await detail(id)).toMatchObject({ state: 'disabled' });
});
