// Many retries and discards at once share their reads, delay no other work, and have no second effect after a kill.
import type { CursorCounters } from '../../../domain/delivery/messages.ts';
import { finishedOf } from '../../../domain/delivery/cursor.ts';
import type { TopicName } from '../../../domain/flow.ts';
import { until } from '../../../../test/support/until.ts';
import { upTo } from '../delivery.world.fake.ts';
import { ReplayWorld } from '../replays/spec/replay-world.fake.ts';
import { requestAct, requestsCarriedOut } from './act-world.fake.ts';

const live = 'sub_1/dc_a';
const actedBy = { Retry: 'DeliveryReopened', Discard: 'DeliveryDiscarded' } as const;
let world: ReplayWorld;
afterEach(() => world.end());

const counters = (): CursorCounters => world.cursor(live)?.data['counters'] as CursorCounters;

/** Parks `count` events; from then on the receiver accepts them. */
async function parkEvents(count: number): Promise<void> {
  world = await ReplayWorld.with({ retrySchedule: [], ordered: false }, [], {});
  await world.addWebhook('wh_2');
  world.webhook.script = () => ({ status: 500 });
  await world.start();
  await world.emit(upTo(count));
  await until('all to be parked', () => counters()?.parked === count);
  world.webhook.script = () => ({ status: 200 });
}

const requestAll = (type: 'Retry' | 'Discard', count: number) =>
  Promise.all(upTo(count).map((n) => requestAct(world, type, { n, isParked: true }, { below: 0, channelsBelow: 0 })));

async function requestTest(): Promise<void> {
  const record = world.record('WebhookTestRequested', 'wh_2', { webhookId: 'wh_2', replyTo: 'gw_1' });
  await world.log.request({ topic: 'requests', partition: 0, record: { ...record, at: Date.now() } as never });
}

/** Delays reads of a topic until it is released, and counts the records. */
function slowReads(slow: TopicName): { readonly read: () => number; readonly go: () => void } {
  const read = world.log.read.bind(world.log);
  const { promise, resolve: go } = Promise.withResolvers<void>();
  let count = 0;
  world.log.read = async (topic, ...of) => {
    if (topic !== slow) return read(topic, ...of);
    await promise;
    const page = await read(topic, ...of);
    count += page.records.length;
    return page;
  };
  return { read: () => count, go };
}

test('retries share what they read of the log, and a test that is asked for behind them does not wait', async () => {
  await parkEvents(1_000);
  const reads = slowReads('deliveries');
  const length = world.log.records('deliveries').length;
  await requestAll('Retry', 1_000);
  await requestTest();
  await until('the test', () => world.sentTo('wh_2').length === 1);
  expect(world.sentTo('wh_1')).toHaveLength(1_000);
  reads.go();
  await until('every event', () => counters().delivered === 1_000);
  await requestsCarriedOut(world);
  expect(reads.read()).toBeLessThan(3 * length);
  expect(counters()).toMatchObject({ published: 1_000, delivered: 1_000, parked: 0 });
  expect(world.sentTo('wh_1')).toHaveLength(2_000);
});

test('after a kill before retries were looked into, only they are taken again, and find what a replay delivered', async () => {
  await parkEvents(100);
  const reads = slowReads('requests');
  await requestAll('Retry', 100);
  await requestTest();
  await world.requestReplay('rpl_1', { only: 'all' });
  await until('the test', () => world.sentTo('wh_2').length === 1);
  await world.whenDone('rpl_1');
  const end = await world.log.end('requests', 0);
  await until('the mark to pass them', () => world.positions['requests/0/taken'] === end);
  expect(world.positions['requests/0'] ?? 0).toBe(0);
  await world.stop(0);
  reads.go();
  await world.start();
  await requestsCarriedOut(world);
  expect(counters()).toMatchObject({ published: 100, delivered: 100, parked: 0 });
  expect([world.sentTo('wh_2').length, world.sentTo('wh_1').length]).toEqual([1, 200]);
  await requestTest();
  await until('the next test', () => world.sentTo('wh_2').length === 2);
});

test.each(['Retry', 'Discard'] as const)('a kill amid many of type %s carries out each of them once', async (type) => {
  await parkEvents(300);
  await requestAll(type, 300);
  const acted = (): number => world.deliveries('sub_1').filter((one) => one.type === actedBy[type]).length;
  await until('some of them', () => acted() > 0);
  await world.stop(0);
  await world.start();
  await until('all of them', () => counters().parked === 0 && finishedOf(counters()) === 300);
  await requestsCarriedOut(world);
  expect(acted()).toBe(300);
  const [delivered, discarded] = type === 'Retry' ? [300, 0] : [0, 300];
  expect([counters().delivered, counters().expired?.discarded ?? 0]).toEqual([delivered, discarded]);
});

test('each of many requests about one delivery sees the effect of the one before it', async () => {
  await parkEvents(1);
  world.webhook.script = () => 'hangs';
  const [below, channelsBelow] = [0, 0];
  const kinds = ['Retry', 'Retry', 'Discard', 'Retry', 'Discard'] as const;
  for (const type of kinds) await requestAct(world, type, { n: 1, isParked: true }, { below, channelsBelow });
  await requestsCarriedOut(world);
  expect(counters()).toMatchObject({ published: 1, delivered: 0, parked: 0, expired: { discarded: 1 } });
  const types = world.deliveries('sub_1').map(({ type }) => type);
  expect(types.slice(-2)).toEqual(['DeliveryReopened', 'DeliveryDiscarded']);
});

const attempts = () => world.deliveries('sub_1').filter(({ type }) => type === 'DeliveryAttempted');
const numbersOfEach = () =>
  [...Map.groupBy(attempts(), ({ data }) => data['eventId']).values()].map((all) =>
    all.map(({ data }) => data['attempt']),
  );

test('a kill in the middle of retries of deliveries that wait for theirs takes no further attempt from any', async () => {
  const count = 600;
  world = await ReplayWorld.with({ retrySchedule: [3_600], ordered: false }, [], {});
  world.webhook.script = () => ({ status: 500 });
  await world.start();
  await world.emit(upTo(count));
  await until('all to fail', () => attempts().length === count);
  const reads = slowReads('requests');
  for (const n of upTo(count)) await requestAct(world, 'Retry', { n, isParked: false }, { channelsBelow: 0 });
  reads.go();
  await until('some to be tried again', () => attempts().length > count + 50);
  await world.stop(0);
  await world.start();
  await requestsCarriedOut(world);
  await until('all to be parked', () => counters().parked === count);
  expect(numbersOfEach()).toEqual(Array(count).fill([1, 2]));
}, 30_000);

test('each of two retries of a parked delivery is an attempt with a number of its own', async () => {
  const count = 200;
  await parkEvents(count);
  world.webhook.script = () => ({ status: 500 });
  const reads = slowReads('requests');
  await requestAll('Retry', count);
  await requestAll('Retry', count);
  reads.go();
  await requestsCarriedOut(world);
  await until('all to be parked again', () => counters().parked === count);
  for (const numbers of numbersOfEach()) expect(numbers).toEqual(upTo(numbers.length));
  expect(counters().published).toBe(count);
}, 30_000);
