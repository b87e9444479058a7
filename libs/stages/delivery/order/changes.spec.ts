// Order by key holds despite retention, deletions, pauses, filters, and changes of the order itself.
import { until } from '../../../../test/support/until.ts';
import type { WebhookDefinition } from '../../../domain/listener/definition/messages.ts';
import type { CursorCounters } from '../../../domain/delivery/messages.ts';
import type { DeliveryLimits } from '../delivery-limits.ts';
import { DeliveryWorld, upTo } from '../delivery.world.fake.ts';

let world: DeliveryWorld;
afterEach(async () => {
  expect(world.fatal).toEqual([]);
  await world.end();
});

async function worldWith(
  settings: Partial<WebhookDefinition['data']> = {},
  limits: Partial<DeliveryLimits> = {},
): Promise<DeliveryWorld> {
  const newWorld = new DeliveryWorld(limits);
  await newWorld.addKey();
  await newWorld.addWebhook('wh_1', { orderKey: '/key', retrySchedule: [], onExhausted: 'block', ...settings });
  await newWorld.subscribe('sub_1', { listenerId: 'wh_1' });
  return newWorld;
}

const byThird = (n: number): number => n % 3;
const ofFirst = (n: number): boolean => n % 3 === 1;
const counters = (): CursorCounters => world.cursor('sub_1/dc_a')?.data['counters'] as CursorCounters;
const distinct = (numbers: readonly number[]): number[] => [...new Set(numbers)];
const sentOfFirst = (): number[] => distinct(world.sentTo('wh_1')).filter(ofFirst);
const failing = (body: string): boolean => ofFirst((JSON.parse(body) as { n: number }).n);
const numbered = (published: number) => until('all to be numbered', () => counters()?.published === published);
const offsetOf = (id: string | undefined): number | undefined =>
  world.log.records('channels').find(({ data }) => (data as { eventId?: string }).eventId === id)?.offset;
const liveCount = (type: string): number => {
  const newest = new Map(world.log.records('cursors').map((record) => [record.key, record]));
  return [...newest.values()].filter((record) => record.type === type && record.data !== undefined).length;
};

/** A third of the events fail; the first of them blocks later ones. */
async function blocked(count: number, ms?: number): Promise<void> {
  world.webhook.script = ({ body }) => ({ status: failing(body) ? 500 : 200 });
  await world.start();
  await world.emit(upTo(count), { keyOf: byThird, ...(ms === undefined ? {} : { ms }) });
  await until('the others', () => counters()?.delivered === (count * 2) / 3 && counters().published === count);
}

test('retention counts the events waiting behind a failing one, and the remaining ones continue', async () => {
  world = await worldWith();
  await blocked(30);
  await world.emit([31], { keyOf: byThird, ms: 3_000 });
  await numbered(31);
  world.webhook.script = () => ({ status: 200 });
  await world.setRetention(2_000);
  await until('what is left', () => counters().delivered === 21);
  await world.retentionApplied();
  expect(sentOfFirst()).toEqual([1, 31]);
  expect(counters()).toMatchObject({ published: 31, delivered: 21, expired: { gone: 0, retention: 10 } });
  expect([liveCount('KeyWaiting'), liveCount('RetryWaiting')]).toEqual([0, 0]);
});

test('deleted events are skipped among those waiting for their key, including the failing one', async () => {
  world = await worldWith();
  await blocked(30);
  world.webhook.script = () => ({ status: 200 });
  await world.delete({ endId: '1000-20' });
  await until('what is left', () => counters().delivered + (counters().expired.deleted ?? 0) === 30);
  expect(sentOfFirst().length).toBeLessThan(10);
  expect(sentOfFirst()).toEqual([
    1,
    ...upTo(30)
      .filter((n) => ofFirst(n))
      .slice(-(sentOfFirst().length - 1)),
  ]);
});

test('a pause keeps the events waiting for a key, even across a kill', async () => {
  world = await worldWith();
  await blocked(12);
  await world.changeWebhook('wh_1', { disabled: true, generation: 1 });
  world.webhook.script = () => ({ status: 200 });
  await world.emit([13, 14], { keyOf: byThird });
  await world.markAtEnd();
  await world.stop(0);
  await world.start();
  await world.emit([15], { keyOf: byThird });
  await world.markAtEnd();
  expect(sentOfFirst()).toEqual([1]);
  await world.changeWebhook('wh_1', { disabled: false, generation: 2 });
  await until('every event', () => counters().delivered === 15);
  expect(sentOfFirst()).toEqual([1, 4, 7, 10, 13]);
});

test('a new order key applies once everything waiting under the former one has finished', async () => {
  world = await worldWith();
  await blocked(12);
  await world.changeWebhook('wh_1', { orderKey: '/n' });
  await world.emit([14], { keyOf: byThird });
  await world.markAtEnd();
  expect(world.sentTo('wh_1')).not.toContain(14);
  world.webhook.script = () => ({ status: 200 });
  await world.changeWebhook('wh_1', { name: 'repaired' });
  await until('every event', () => counters().delivered === 13);
  expect(sentOfFirst()).toEqual([1, 4, 7, 10]);
  expect(world.sentTo('wh_1').at(-1)).toBe(14);
  await until('the line’s record to be taken away', () => liveCount('KeyWaiting') === 0);
});

test('strict order applies once everything waiting by key has finished', async () => {
  world = await worldWith();
  await blocked(12);
  await world.stop(0);
  const { orderKey: _none, ...strict } = { orderKey: undefined, name: 'strict' };
  await world.addWebhook('wh_1', { retrySchedule: [], onExhausted: 'block', ...strict });
  await world.emit([13, 14], { keyOf: byThird });
  world.webhook.script = () => ({ status: 200 });
  await world.start();
  await until('every event', () => counters().delivered === 14);
  expect(sentOfFirst()).toEqual([1, 4, 7, 10, 13]);
  expect(world.sentTo('wh_1').slice(-2)).toEqual([13, 14]);
});

test('without order other events pass, and those already behind a failing event stay behind it', async () => {
  world = await worldWith();
  await blocked(12);
  await world.changeWebhook('wh_1', { ordered: false, retrySchedule: [1_000, 1_000, 1_000] });
  await world.emit([13, 14, 15], { keyOf: byThird });
  await until('the others', () => counters().delivered === 10);
  expect(sentOfFirst()).toEqual([1]);
  world.webhook.script = () => ({ status: 200 });
  await world.changeWebhook('wh_1', { ordered: true, retrySchedule: Array.from({ length: 20 }, () => 0) });
  await world.stop(0);
  world.clockAheadMs = 3_600_000;
  await world.start();
  await until('every event', () => counters().delivered === 15);
  expect(sentOfFirst()).toEqual([1, 4, 7, 10, 13]);
});

test('after order by key is turned on, an earlier failing event does not block the others of its key', async () => {
  world = await worldWith({ ordered: false, retrySchedule: [1_000] });
  world.webhook.script = ({ body }) => ({ status: failing(body) ? 500 : 200 });
  await world.start();
  await world.emit(upTo(6), { keyOf: byThird });
  await until('all attempts', () => world.webhook.calls.length === 6);
  world.webhook.script = () => ({ status: 200 });
  await world.changeWebhook('wh_1', { ordered: true });
  await world.emit(upTo(12).slice(6), { keyOf: byThird });
  await until('the others', () => counters().delivered === 10);
  expect(sentOfFirst()).toEqual([1, 4, 7, 10]);
});

test('events that a filter leaves out behind a waiting one never lead to two events with one number', async () => {
  const patient = [3_600, 3_600];
  world = await worldWith({ retrySchedule: patient, maxInFlight: 1 });
  const filters = [{ channelEnds: [], filter: { key: [{ 'anything-but': 'unwanted' }] } }];
  const data = { subscriptionId: 'sub_1', partition: 0, filters };
  await world.append('subscriptions', world.record('FilterDefined', 'sub_1/filter', data));
  // Events 1, 2 and 5 have one key; so many others fail that the oldest have separate records.
  const keys = ['a', 'a', 'unwanted', 'b', 'a', ...upTo(20).map((n) => `other ${n}`)];
  let isFirstDown = true;
  world.webhook.script = ({ body }) => {
    const { n } = JSON.parse(body) as { n: number };
    return n === 1 && world.webhook.calls.length === 1 ? 'hangs' : { status: n < 3 && !isFirstDown ? 200 : 500 };
  };
  await world.start();
  const [first] = await world.emit(upTo(keys.length), { keyOf: (n) => keys[n - 1] });
  await until('the first attempt', () => world.webhook.calls.length === 1);
  await world.markAtEnd();
  world.webhook.calls[0]?.settle({ status: 500 });
  await until('all that do not wait', () => new Set(world.sentTo('wh_1')).size === keys.length - 3);
  isFirstDown = false;
  const seen = { isParked: false, attempts: 1, below: await world.log.end('deliveries', 0) };
  const event = {
    subscriptionId: 'sub_1',
    emitterId: 'dc_a',
    eventId: first,
    channel: '',
    offset: offsetOf(first),
    seen,
  };
  const record = world.record('DeliveryRetryRequested', 'sub_1', event);
  await world.log.request({ topic: 'requests', partition: 0, record: record as never });
  await until('the fifth event', () => world.sentTo('wh_1').includes(5));
  await world.stop();
  world.webhook.script = () => ({ status: 200 });
  world.clockAheadMs = 7_200_000;
  await world.start();
  await until('every event', () => counters().delivered === keys.length - 1);
  expect(counters()).toMatchObject({ published: keys.length, delivered: keys.length - 1, filtered: 1 });
});

test('the end of a subscription removes its records of waiting events', async () => {
  world = await worldWith();
  await blocked(12);
  expect([liveCount('KeyWaiting'), liveCount('CursorAdvanced')]).toEqual([1, 1]);
  await world.unsubscribe('sub_1');
  await until('the tombstones', () => liveCount('KeyWaiting') + liveCount('CursorAdvanced') === 0);
});

test('a long queue of one key continues in order, with little memory and without rereading the log', async () => {
  world = await worldWith({}, { flushMs: 20, idleFlushMs: 50 });
  const count = 6_000;
  await blocked(count);
  world.webhook.script = () => ({ status: 200 });
  let isRead = 0;
  const read = world.log.read.bind(world.log);
  world.log.read = async (topic, ...of) => {
    const page = await read(topic, ...of);
    if (topic === 'channels') isRead += page.records.length;
    return page;
  };
  await world.changeWebhook('wh_1', { name: 'repaired' });
  await until('every event', () => counters().delivered === count);
  expect(sentOfFirst()).toEqual(upTo(count).filter((n) => ofFirst(n)));
  expect(isRead).toBeLessThan(count * 1.5);
  expect(liveCount('KeyWaiting')).toBe(0);
}, 60_000);
