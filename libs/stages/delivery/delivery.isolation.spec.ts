import { until } from '../../../test/support/until.ts';
import { DeliveryWorld, upTo } from './delivery.world.fake.ts';
import type { DeliveryLimits } from './delivery-limits.ts';

let world: DeliveryWorld;

async function worldOf(limits: Partial<DeliveryLimits>, webhooks: Record<string, { ordered?: boolean }>) {
  world = new DeliveryWorld(limits);
  await world.addKey();
  for (const [name, settings] of Object.entries(webhooks)) {
    await world.addWebhook(`wh_${name}`, settings);
    await world.subscribe(`sub_${name}`, { listenerId: `wh_${name}` });
  }
  await world.start();
}
afterEach(async () => {
  expect(world.fatal).toEqual([]);
  await world.end();
});

test('a hanging receiver takes nothing from a healthy one and resumes where it stopped', async () => {
  await worldOf({ queuedMax: 8 }, { good: {}, dead: {} });
  let dead = true;
  world.webhook.script = ({ url }) => (dead && url.endsWith('wh_dead') ? 'hangs' : { status: 200 });
  for (let from = 0; from < 100; from += 10) await world.emit(upTo(10).map((n) => n + from));
  await until('all of the healthy one', () => world.delivered('sub_good') === 100);
  expect(world.sentTo('wh_good')).toEqual(upTo(100));
  expect(world.sentTo('wh_dead')).toEqual([1]);
  await world.markAtEnd();
  expect(world.cursor('sub_dead/dc_a')?.data['behindFrom']).not.toBeNull();
  dead = false;
  world.webhook.calls.find((call) => call.outcome === undefined)?.settle({ status: 200 });
  await until('the other one to catch up', () => world.delivered('sub_dead') === 100);
  expect(world.sentTo('wh_dead')).toEqual(upTo(100));
});

test('a failing receiver keeps nothing in memory, and what it missed is read from the log, in order', async () => {
  await worldOf({}, { good: {} });
  await world.addWebhook('wh_bad', { retrySchedule: [2, 0.001] });
  await world.subscribe('sub_bad', { listenerId: 'wh_bad' });
  let failing = true;
  world.webhook.script = ({ url }) => ({ status: failing && url.endsWith('wh_bad') ? 500 : 200 });
  await world.emit(upTo(50));
  await until('the healthy one', () => world.delivered('sub_good') === 50);
  failing = false;
  await world.emit([51, 52]);
  await until('the one that had failed', () => world.delivered('sub_bad') === 52);
  expect(world.sentTo('wh_bad')).toEqual([1, ...upTo(52)]);
  await until('its cursor to be at the tail', () => world.cursor('sub_bad/dc_a')?.data['behindFrom'] === null);
});

test('a backlog of several pages is caught up without gaps', async () => {
  await worldOf({}, {});
  await world.addWebhook('wh_bad', { retrySchedule: [1] });
  await world.subscribe('sub_bad', { listenerId: 'wh_bad' });
  world.webhook.script = (_, nth) => ({ status: nth === 1 ? 500 : 200 });
  await world.emit([1]);
  await until('the failure', () => world.deliveries('sub_bad').length === 1);
  for (let from = 1; from < 1301; from += 100) await world.emit(upTo(100).map((n) => n + from));
  await until('all of it', () => world.webhook.calls.length === 1302);
  expect(world.sentTo('wh_bad')).toEqual([1, ...upTo(1301)]);
});

test('a slow receiver falls behind and catches up while a quick one keeps up with the tail', async () => {
  await worldOf({ queuedMax: 4, catchUpLow: 2, catchUpHigh: 4 }, { quick: {}, slow: {} });
  world.webhook.script = async ({ url }) => {
    if (url.endsWith('wh_slow')) await new Promise((resolve) => setTimeout(resolve, 2));
    return { status: 200 };
  };
  for (let from = 0; from < 60; from += 5) await world.emit(upTo(5).map((n) => n + from));
  await until('the quick one', () => world.delivered('sub_quick') === 60);
  await until('the slow one', () => world.delivered('sub_slow') === 60);
  expect(world.sentTo('wh_quick')).toEqual(upTo(60));
  expect(world.sentTo('wh_slow')).toEqual(upTo(60));
});

test('a full buffer makes room by letting cursors fall behind, and no event is lost', async () => {
  await worldOf({ bufferBytesMax: 4_000 }, { a: {}, b: { ordered: false } });
  let hanging = true;
  world.webhook.script = ({ url }) => (hanging && url.endsWith('wh_a') ? 'hangs' : { status: 200 });
  await world.emit(upTo(100));
  await until('the healthy one', () => world.delivered('sub_b') === 100);
  hanging = false;
  world.webhook.calls.find((call) => call.outcome === undefined)?.settle({ status: 200 });
  await until('the other one', () => world.delivered('sub_a') === 100);
  expect(world.sentTo('wh_a')).toEqual(upTo(100));
});

test('after consecutive timeouts a webhook gets one request at a time until it answers', async () => {
  await worldOf({}, { wild: { ordered: false } });
  await world.emit([0]);
  await until('an answer', () => world.delivered('sub_wild') === 1);
  world.webhook.script = () => 'hangs';
  await world.emit(upTo(30));
  await until('all to be in flight', () => world.webhook.inFlight === 30);
  for (const call of world.webhook.calls) call.settle({ failure: 'timeout' });
  await until('their record', () => world.deliveries('sub_wild').length === 31);
  await world.emit(upTo(10).map((n) => n + 30));
  await until('the next call', () => world.webhook.calls.length === 32);
  await world.markAtEnd();
  expect(world.webhook.inFlight).toBe(1);
  world.webhook.calls.at(-1)?.settle({ status: 200 });
  await until('the others', () => world.webhook.inFlight === 9);
});

test('retries wait for slots of their own while first attempts continue', async () => {
  await worldOf({ retryInFlightMax: 1 }, { good: {} });
  for (const name of ['x', 'y']) {
    await world.addWebhook(`wh_${name}`, { retrySchedule: [0.001, 0.001] });
    await world.subscribe(`sub_${name}`, { listenerId: `wh_${name}`, emitterId: 'dc_bad' });
  }
  world.webhook.script = (_, nth) => (nth <= 2 ? { status: 500 } : 'hangs');
  await world.emit([1], { emitterId: 'dc_bad' });
  await until('one retry, which has the only slot', () => world.webhook.calls.length === 3);
  world.webhook.script = () => ({ status: 200 });
  await world.emit(upTo(20));
  await until('the first attempts', () => world.delivered('sub_good') === 20);
  expect(world.webhook.calls.length).toBe(23);
  world.webhook.calls[2]?.settle({ status: 200 });
  await until('the other retry', () => world.delivered('sub_x') + world.delivered('sub_y') === 2);
});

const failsEverySecond = ({ url, body }: { url: string; body: string }) => {
  const { n } = JSON.parse(body) as { n: number };
  return { status: url.endsWith('wh_bad') && n % 2 === 0 ? 500 : 200 };
};

test('deliveries continue beside thousands that wait for a retry, with a small cursor record, even after a restart', async () => {
  await worldOf({}, { good: {} });
  await world.addWebhook('wh_bad', { ordered: false, retrySchedule: [3600] });
  await world.subscribe('sub_bad', { listenerId: 'wh_bad' });
  world.webhook.script = failsEverySecond;
  for (let from = 0; from < 2_400; from += 400) await world.emit(upTo(400).map((n) => n + from));
  await until('the good ones', () => world.delivered('sub_bad') === 1_200);
  await until('the healthy one', () => world.delivered('sub_good') === 2_400);
  await world.markAtEnd();
  const cursor = world.cursor('sub_bad/dc_a')?.data;
  expect(cursor).toMatchObject({ behindFrom: null, counters: { published: 2_400, delivered: 1_200, parked: 0 } });
  const open = cursor?.['open'] as unknown[] | undefined;
  expect(open?.length).toBeLessThanOrEqual(16);
  await world.stop(0);
  world.webhook.script = () => ({ status: 200 });
  world.clockAheadMs = 3_600_000 * 1.2;
  await world.start();
  await until('the others', () => world.delivered('sub_bad') === 2_400);
  expect(world.sentTo('wh_bad')).toHaveLength(3_600);
}, 20_000);

test('beyond the bound the oldest retries are parked, with a record on the log, and good events continue', async () => {
  await worldOf({ waitingMax: 10 }, {});
  await world.addWebhook('wh_bad', { ordered: false, retrySchedule: [3600] });
  await world.subscribe('sub_bad', { listenerId: 'wh_bad' });
  world.webhook.script = failsEverySecond;
  await world.emit(upTo(100));
  const parked = () => world.deliveries('sub_bad').filter(({ type }) => type === 'DeliveryParked');
  await until('the good ones', () => world.delivered('sub_bad') === 50);
  await until('the parked', () => parked().length === 50 - 16 - 10);
  expect(parked()[0]?.data).toMatchObject({ reason: 'too_many_waiting', attempts: 1, webhookId: 'wh_bad' });
  await until('the cursor', () => {
    const counters = world.cursor('sub_bad/dc_a')?.data['counters'] as { parked: number } | undefined;
    return counters?.parked === 24;
  });
  // The alert is requested once, in the append that counts the first event, so that no kill can separate the two.
  const alertCommands = world.log.records('commands').map(({ type, key }) => `${type} ${key}`);
  expect(alertCommands).toEqual(['RaiseAlert retries_parked/sub_bad']);
});
