// Start positions and replays through the API, with delivery running.
import { randomBytes } from 'node:crypto';
import { jest } from '@jest/globals';
import { pino } from 'pino';
import type { Manifest } from '../../../../../domain/component/manifest.ts';
import { FakeTransformer } from '../../../../../sandbox/transformer.fake.ts';
import { FakeWebhook } from '../../../../../webhooks/webhook.fake.ts';
import { until } from '../../../../../../test/support/until.ts';
import { DeliveryStage } from '../../../../delivery/delivery.stage.ts';
import { StageLoop } from '../../../../loop/stage-loop.ts';
import { idsOfKey } from '../../../commands/ids-of-key.ts';
import { TestBed } from '../../../test-bed.fake.ts';

const manifest: Manifest = {
  name: 'Counter',
  version: '0.0.1',
  type: 'source',
  hooks: [],
  methods: [],
  additionalProps: false,
  props: [],
};

interface Replay {
  readonly id: string;
  readonly state: string;
  readonly done: number;
  readonly retrying: number;
  readonly left: number | null;
}

let bed: TestBed;
let delivery: StageLoop;
const webhook = new FakeWebhook();
let emitter_id: string;
let foreign: string;
/** Ids of the events 1 to 5, oldest first. */
let events: string[];
let webhooks = 0;

beforeAll(async () => {
  bed = await TestBed.start();
  bed.components.set('counter', { manifest, run: ({ event, emit }) => emit({ event, channel: '' }) });
  const { masterKey, alerts } = bed.settings;
  const ambient = { now: Date.now, randomBytes };
  const stage = new DeliveryStage({
    webhook,
    transformer: new FakeTransformer(),
    masterKey,
    ambient,
    logError: () => {},
    limits: { flushMs: 5 },
  });
  delivery = new StageLoop(stage, bed.log, pino({ level: 'silent' }), { alerts: alerts.forStage('delivery') });
  delivery.start((error) => bed.fatal.push(error));
  [emitter_id = '', foreign = ''] = [await deploy(), await deploy()];
  for (const n of [1, 2, 3, 4, 5]) await run(emitter_id, n);
  await run(foreign, 1);
  events = (await listed(emitter_id)).toReversed();
});
afterAll(async () => {
  await delivery?.stop(0);
  await bed?.stop();
});

async function deploy(): Promise<string> {
  const answer = await bed.call('POST', '/v1/sources', { body: { component_code: 'counter' } });
  return (answer.body.data as { id: string }).id;
}

async function run(id: string, n: number): Promise<void> {
  await bed.call('POST', `/v1/sources/${id}/run`, { body: { event: { n } }, query: { wait: '1' } });
}

async function listed(id: string): Promise<string[]> {
  const { body } = await bed.call('GET', `/v1/sources/${id}/event_summaries`);
  return (body.data as { id: string }[]).map((event) => event.id);
}

/** Subscribes a new webhook, and returns the id of the subscription and the path of the webhook. */
async function subscribe(more: object = {}): Promise<{ id: string; path: string }> {
  const path = `/${++webhooks}`;
  const webhookAnswer = await bed.call('POST', '/v1/webhooks', { body: { url: `https://example.com${path}` } });
  const listener_id = (webhookAnswer.body.data as { id: string }).id;
  const answer = await bed.call('POST', '/v1/subscriptions', { body: { emitter_id, listener_id, ...more } });
  expect([answer.status, answer.text]).toEqual([200, expect.anything()]);
  return { id: (answer.body.data as [{ id: string }])[0].id, path };
}

const sentTo = (path: string): number[] =>
  webhook.calls
    .filter(({ request }) => request.url.endsWith(path))
    .map(({ request }) => (JSON.parse(request.body) as { n: number }).n);

const waitUntilDone = (id: string, replay: string): Promise<Replay> =>
  until('the replay to be done', async () => {
    const { body } = await bed.call('GET', `/v1/subscriptions/${id}/replays/${replay}`);
    const replayData = body.data as Replay;
    return replayData.state === 'done' && replayData;
  });

test('a subscription can start at the oldest event, at a given event or at a time', async () => {
  const [all, event, time, late] = [
    await subscribe({ start: 'earliest' }),
    await subscribe({ start: { event_id: events[2] } }),
    await subscribe({ start: { time: 0 } }),
    await subscribe({ start: 'now' }),
  ];
  await until('all of them', () => sentTo(all.path).length === 5 && sentTo(time.path).length === 5);
  await until('what follows the event', () => sentTo(event.path).length === 3);
  expect(sentTo(all.path)).toEqual([1, 2, 3, 4, 5]);
  expect(sentTo(event.path)).toEqual([3, 4, 5]);
  expect(sentTo(time.path)).toEqual([1, 2, 3, 4, 5]);
  expect(sentTo(late.path)).toEqual([]);
});

test('a replay sends its range and is listed, and its attempts name it', async () => {
  const { id, path } = await subscribe();
  const body = { from: { event_id: events[1] }, to: { event_id: events[3] } };
  const headers = { 'idempotency-key': 'once' };
  const requested = await bed.call('POST', `/v1/subscriptions/${id}/replay`, { body, headers });
  expect([requested.status, requested.body.data]).toEqual([
    202,
    expect.objectContaining({ id: expect.stringMatching(/^rpl_/), subscription_id: id, emitter_id, only: 'all' }),
  ]);
  const replay = (requested.body.data as Replay).id;
  expect(await waitUntilDone(id, replay)).toMatchObject({
    total: 3,
    done: 3,
    failed: 0,
    passed: 0,
    left: 0,
    reason: null,
  });
  expect(sentTo(path)).toEqual([2, 3, 4]);
  const again = await bed.call('POST', `/v1/subscriptions/${id}/replay`, { body, headers });
  expect(again.body.data).toMatchObject({ id: replay });
  const other = await bed.call('POST', `/v1/subscriptions/${id}/replay`, { body: {}, headers });
  expect([other.status, other.body.code]).toEqual([409, 'idempotency_conflict']);
  const list = await bed.call('GET', `/v1/subscriptions/${id}/replays`);
  expect((list.body.data as Replay[]).map((one) => one.id)).toEqual([replay]);
  const deliveries = await bed.call('GET', `/v1/subscriptions/${id}/deliveries`);
  expect(deliveries.body.data).toMatchObject([
    { event_id: events[3], state: 'delivered', attempts: [{ replay_id: replay }] },
    { event_id: events[2] },
    { event_id: events[1] },
  ]);
});

test('a replay is repeated by its Idempotency-Key for 24 hours, then the key is new', async () => {
  const { id } = await subscribe();
  const requestReplay = async (key: string): Promise<string> => {
    const headers = { 'idempotency-key': key };
    const { body } = await bed.call('POST', `/v1/subscriptions/${id}/replay`, { body: {}, headers });
    return (body.data as Replay).id;
  };
  const createdId = await requestReplay('made');
  const live = bed.views.live();
  const document = await live.get('replays', createdId);
  if (document === undefined) throw new Error('it is not shown');
  const { workspace } = document.value as { readonly workspace: string };
  const hoursAgo = async (key: string, hours: number): Promise<string> => {
    const requestedAt = Date.now() - hours * 3_600_000;
    const [replayId] = idsOfKey('rpl', { workspace, key, now: requestedAt });
    await live.put([
      { ...document, view: 'replays', id: replayId, value: { ...document.value, replayId, requestedAt } },
    ]);
    return replayId;
  };
  expect(await requestReplay('made')).toBe(createdId);
  const [young, old] = [await hoursAgo('young', 23), await hoursAgo('old', 25)];
  expect(await requestReplay('young')).toBe(young);
  const newId = await requestReplay('old');
  expect(newId).not.toBe(old);
  expect(await requestReplay('old')).toBe(newId);
});

test('a dry run counts the events of a replay and sends nothing', async () => {
  const { id, path } = await subscribe();
  const body = { from: { event_id: events[3] }, dry_run: true };
  const answer = await bed.call('POST', `/v1/subscriptions/${id}/replay`, { body });
  expect([answer.status, answer.body.data]).toEqual([200, { count: 2, first: events[3], last: events[4] }]);
  expect(sentTo(path)).toEqual([]);
  expect((await bed.call('GET', `/v1/subscriptions/${id}/replays`)).body.data).toEqual([]);
});

test('a replay says how many of its events wait after a failed attempt', async () => {
  const { id, path } = await subscribe();
  webhook.script = ({ url }) => ({ status: url.endsWith(path) ? 500 : 200 });
  try {
    const requested = await bed.call('POST', `/v1/subscriptions/${id}/replay`);
    const failing = await until('its first event to fail', async () => {
      const { body } = await bed.call('GET', `/v1/subscriptions/${id}/replays/${(requested.body.data as Replay).id}`);
      const replayData = body.data as Replay;
      return replayData.retrying > 0 && replayData;
    });
    expect(failing).toMatchObject({ state: 'running', total: 5, done: 0, failed: 0, retrying: 1, left: 5 });
    const cancel = `/v1/subscriptions/${id}/replays/${failing.id}/cancel`;
    expect((await bed.call('POST', cancel)).body.data).toMatchObject({ state: 'cancelled', retrying: 0, left: 5 });
  } finally {
    webhook.script = () => ({ status: 200 });
  }
});

test('a replay can be cancelled', async () => {
  const { id, path } = await subscribe();
  const requested = await bed.call('POST', `/v1/subscriptions/${id}/replay`, { body: { rate: 1 } });
  const replay = (requested.body.data as Replay).id;
  await until('its first event', () => sentTo(path).length === 1);
  const ended = await bed.call('POST', `/v1/subscriptions/${id}/replays/${replay}/cancel`);
  expect([ended.status, ended.body.data]).toEqual([
    202,
    expect.objectContaining({ state: 'cancelled', reason: 'requested' }),
  ]);
});

test.each([
  ['an unknown event', () => ({ from: { event_id: '1-1' } })],
  ['an event of another source', async () => ({ from: { event_id: (await listed(foreign))[0] } })],
  ['another source', () => ({ emitter_id: foreign })],
  ['a sequence of zero', () => ({ from: { sequence: 0 } })],
  ['two positions in one place', () => ({ to: { time: 1, sequence: 1 } })],
  ['an offset', () => ({ from: { offset: 1 } })],
  ['a rate of zero', () => ({ rate: 0 })],
  ['a beginning in the future', () => ({ from: { time: Date.now() + 90_000 } })],
])('answers 400 to a replay with %s', async (_name, body) => {
  const { id } = await subscribe();
  const answer = await bed.call('POST', `/v1/subscriptions/${id}/replay`, { body: await body() });
  expect([answer.status, answer.body.code]).toEqual([400, 'invalid_request']);
});

test('a replay or a start at an event that the views do not show yet waits for them', async () => {
  const { id } = await subscribe();
  const live = bed.views.live();
  const { get } = live;
  let missed = 0;
  const lagging = jest.spyOn(live, 'get').mockImplementation((view, key) => {
    if (view !== 'events' || missed++ > 0) return get.call(live, view, key);
    return Promise.resolve(undefined);
  });
  try {
    const body = { from: { event_id: events[4] } };
    expect((await bed.call('POST', `/v1/subscriptions/${id}/replay`, { body })).status).toBe(202);
    missed = 0;
    await subscribe({ start: { event_id: events[4] } });
    expect(missed).toBe(2);
  } finally {
    lagging.mockRestore();
  }
});

test('answers 503 to a replay from an event while the views lag too far behind to tell whether there is one', async () => {
  const { id } = await subscribe();
  const lagging = jest.spyOn(bed.views.live(), 'checkpoint').mockResolvedValue({});
  try {
    const body = { from: { event_id: '1-1' } };
    const replay = () => bed.call('POST', `/v1/subscriptions/${id}/replay`, { body });
    const answer = await bed.withLimits({ viewsMs: 10 }, replay);
    expect([answer.status, answer.body.code]).toEqual([503, 'unavailable']);
  } finally {
    lagging.mockRestore();
  }
});

test('answers 400 to a start in the future, but allows a small difference between clocks', async () => {
  const listener_id = 'wh_0000000000000000';
  const startAt = (time: number) =>
    bed.call('POST', '/v1/subscriptions', { body: { emitter_id, listener_id, start: { time } } });
  const refused = await startAt(Date.now() + 3_600_000);
  expect([refused.status, refused.body.details]).toMatchObject([400, { problems: [{ field: 'start' }] }]);
  const { id } = await subscribe({ start: { time: Date.now() + 30_000 } });
  const body = { from: { time: Date.now() + 30_000 }, to: { time: Date.now() + 3_600_000 } };
  expect((await bed.call('POST', `/v1/subscriptions/${id}/replay`, { body })).status).toBe(202);
});

test('a dry run whose count takes too long is cancelled, since nobody waits for it any more', async () => {
  const { id } = await subscribe();
  const live = bed.views.live();
  const get = live.get.bind(live);
  const hidden = jest
    .spyOn(live, 'get')
    .mockImplementation(async (view, key) => (view === 'replays' ? undefined : get(view, key)));
  try {
    const dryRun = () => bed.call('POST', `/v1/subscriptions/${id}/replay`, { body: { dry_run: true } });
    const answer = await bed.withLimits({ countMs: 10 }, dryRun);
    expect([answer.status, answer.body.code]).toEqual([503, 'unavailable']);
  } finally {
    hidden.mockRestore();
  }
  const [asked, cancelled] = bed.log.records('requests').slice(-2);
  expect([asked?.type, cancelled?.type]).toEqual(['ReplayRequested', 'ReplayCancelRequested']);
  const { replayId } = (asked?.data ?? {}) as { readonly replayId?: string };
  expect(cancelled?.data).toEqual({ replayId: replayId ?? 'none', subscriptionId: id, emitterId: expect.any(String) });
});

test('answers 400 to a dry run from an unknown sequence', async () => {
  const { id } = await subscribe();
  const body = { from: { sequence: 1 }, dry_run: true };
  const answer = await bed.call('POST', `/v1/subscriptions/${id}/replay`, { body });
  expect([answer.status, answer.body.error]).toEqual([
    400,
    expect.stringContaining('no event of the subscription has such a sequence number'),
  ]);
});

test('a replay of every source is requested, counted, listed and cancelled as one', async () => {
  const owner = bed.log.records('workspaces')[0]?.workspace ?? '';
  for (const every of ['dc_*', owner]) {
    const { id, path } = await subscribe({ emitter_id: every });
    const counted = await bed.call('POST', `/v1/subscriptions/${id}/replay`, { body: { dry_run: true } });
    const last = (await listed(foreign))[0];
    expect([counted.status, counted.body.data]).toEqual([200, { count: 6, first: events[0], last }]);
    const requested = await bed.call('POST', `/v1/subscriptions/${id}/replay`, { body: { rate: 1_000 } });
    expect([requested.status, requested.body.data]).toEqual([202, expect.objectContaining({ emitter_id: every })]);
    const replay = (requested.body.data as Replay).id;
    const ended = await waitUntilDone(id, replay);
    expect(ended).toMatchObject({ emitter_id: every, total: 6, done: 6, left: 0, failed: 0, reason: null });
    expect(sentTo(path).toSorted()).toEqual([1, 1, 2, 3, 4, 5]);
    expect((await bed.call('GET', `/v1/subscriptions/${id}/replays`)).body.data).toEqual([ended]);
    const slow = await bed.call('POST', `/v1/subscriptions/${id}/replay`, { body: { rate: 1 } });
    const cancel = `/v1/subscriptions/${id}/replays/${(slow.body.data as Replay).id}/cancel`;
    expect((await bed.call('POST', cancel)).body.data).toMatchObject({ state: 'cancelled', reason: 'requested' });
  }
});

test('a subscription to every source needs emitter_id to replay from an event, and cannot start at one', async () => {
  const { id, path } = await subscribe({ emitter_id: 'dc_*' });
  for (const body of [{ from: { event_id: events[0] } }, { to: { sequence: 1 } }]) {
    const unnamed = await bed.call('POST', `/v1/subscriptions/${id}/replay`, { body });
    expect([unnamed.status, unnamed.body.details]).toMatchObject([400, { problems: [{ field: 'emitter_id' }] }]);
  }
  const requested = await bed.call('POST', `/v1/subscriptions/${id}/replay`, { body: { emitter_id: foreign } });
  await waitUntilDone(id, (requested.body.data as Replay).id);
  expect(sentTo(path)).toEqual([1]);
  const body = { emitter_id: 'dc_*', listener_id: 'wh_0000000000000000', start: { event_id: events[0] } };
  expect((await bed.call('POST', '/v1/subscriptions', { body })).status).toBe(400);
});

test('a subscription to every source can replay the events of a deleted source, by its id as well', async () => {
  const { id, path } = await subscribe({ emitter_id: 'dc_*' });
  const deletedSource = await deploy();
  for (const n of [7, 8]) await run(deletedSource, n);
  await until('its events', () => sentTo(path).length === 2);
  const [, first = ''] = await listed(deletedSource);
  await bed.call('DELETE', `/v1/sources/${deletedSource}`);
  const body = { emitter_id: deletedSource, from: { event_id: first } };
  const requested = await bed.call('POST', `/v1/subscriptions/${id}/replay`, { body });
  expect([requested.status, requested.body.data]).toMatchObject([202, { emitter_id: deletedSource }]);
  expect(await waitUntilDone(id, (requested.body.data as Replay).id)).toMatchObject({ total: 2, done: 2, passed: 0 });
  expect(sentTo(path)).toEqual([7, 8, 7, 8]);
  const unknown = { emitter_id: 'dc_0000000000000000' };
  const refused = await bed.call('POST', `/v1/subscriptions/${id}/replay`, { body: unknown });
  expect([refused.status, refused.body.details]).toEqual([404, { field: 'emitter_id' }]);
});

test('answers 404 to an unknown subscription or replay', async () => {
  expect((await bed.call('POST', '/v1/subscriptions/sub_0000000000000000/replay', { body: {} })).status).toBe(404);
  const { id } = await subscribe();
  for (const [method, path] of [
    ['GET', 'rpl_0000000000000000'],
    ['POST', 'rpl_0000000000000000/cancel'],
  ] as const)
    expect((await bed.call(method, `/v1/subscriptions/${id}/replays/${path}`)).status).toBe(404);
});
