// A webhook is changed, paused and resumed while events are on their way to it.
import { Webhook } from 'standardwebhooks';
import { until } from '../../../../test/support/until.ts';
import { DeliveryWorld, sealedKey, secretOf, upTo } from '../delivery.world.fake.ts';

let world: DeliveryWorld;
const paused = { disabled: true, pausedAt: 1, generation: 1 };
const resumed = { disabled: false, generation: 2 };

beforeEach(async () => {
  world = new DeliveryWorld();
  await world.addKey();
  await world.addWebhook('wh_1', { retrySchedule: [0.02, 0.02, 0.02, 0.02] });
  await world.subscribe('sub_1', { listenerId: 'wh_1' });
  await world.start();
});
afterEach(async () => {
  expect(world.fatal).toEqual([]);
  await world.end();
});

const urls = (): string[] => world.webhook.calls.map(({ request }) => request.url);
const numbers = (): number[] => world.webhook.calls.map(({ request }) => (JSON.parse(request.body) as { n: number }).n);
const newUrl = { url: 'https://other.example/wh_1', generation: 1 };
const settleAll = (): void => world.webhook.calls.forEach((call) => call.settle({ status: 200 }));

test('under load, no attempt goes to the former url once the change has been read, and every event arrives', async () => {
  await world.changeWebhook('wh_1', { ordered: false });
  await world.emit([0]);
  await until('an answer', () => world.delivered('sub_1') === 1);
  world.webhook.script = ({ url }) => (url === newUrl.url ? { status: 200 } : 'hangs');
  await world.emit(upTo(500));
  await until('many to be in flight', () => world.webhook.inFlight === 64);
  await world.changeWebhook('wh_1', newUrl);
  const before = urls().filter((url) => url !== newUrl.url).length;
  await world.emit(upTo(500).map((n) => n + 500));
  settleAll();
  await until('all of them', () => world.delivered('sub_1') === 1_001);
  expect([before, urls().filter((url) => url !== newUrl.url).length]).toEqual([65, 65]);
  expect(numbers().toSorted((a, b) => a - b)).toEqual([0, ...upTo(1_000)]);
});

test('the head of an ordered webhook keeps its place and is retried at the new url', async () => {
  world.webhook.script = ({ url }) => ({ status: url === newUrl.url ? 200 : 500 });
  await world.changeWebhook('wh_1', { retrySchedule: [1] });
  await world.emit(upTo(3));
  await until('the failure', () => world.deliveries('sub_1').length === 1);
  await world.changeWebhook('wh_1', newUrl);
  await until('all', () => world.delivered('sub_1') === 3);
  expect([numbers(), urls().filter((url) => url === newUrl.url).length]).toEqual([[1, 1, 2, 3], 3]);
});

test('a 410 answer from the former url neither parks the event nor disables the webhook', async () => {
  world.webhook.script = ({ url }) => (url === newUrl.url ? { status: 200 } : 'hangs');
  await world.emit(upTo(2));
  await until('the first', () => world.webhook.inFlight === 1);
  await world.changeWebhook('wh_1', newUrl);
  world.webhook.calls[0]?.settle({ status: 410 });
  await until('both', () => world.delivered('sub_1') === 2);
  expect([numbers(), world.log.records('commands')]).toEqual([[1, 1, 2], []]);
});

test('a webhook that its receiver has ended gets what waits once it is active again; a change of its name does not make it active', async () => {
  world.webhook.script = (_, nth) => ({ status: nth === 1 ? 410 : 200 });
  await world.emit(upTo(3));
  await until('the request', () => world.log.records('commands').length === 1);
  await world.changeWebhook('wh_1', { name: 'other' });
  expect(numbers()).toEqual([1]);
  await world.changeWebhook('wh_1', { disabled: true });
  await world.changeWebhook('wh_1', { disabled: false, generation: 1 });
  await until('the others', () => world.delivered('sub_1') === 2);
  expect(numbers()).toEqual([1, 2, 3]);
  expect(world.log.records('commands')).toMatchObject([{ data: { generation: 0 } }]);
});

test('without order, events pass a failing head; with order restored, each waits for the one before', async () => {
  world.webhook.script = ({ body }) => ({ status: body.includes('"n":1,') ? 500 : 200 });
  await world.changeWebhook('wh_1', { retrySchedule: [3_600] });
  await world.emit(upTo(5));
  await until('the failure', () => world.deliveries('sub_1').length === 1);
  expect(numbers()).toEqual([1]);
  await world.changeWebhook('wh_1', { ordered: false });
  await until('the others', () => world.delivered('sub_1') === 4);
  world.webhook.script = () => 'hangs';
  await world.emit([6, 7]);
  await until('both in flight', () => world.webhook.inFlight === 2);
  await world.changeWebhook('wh_1', { ordered: true });
  await world.emit([8, 9]);
  await world.markAtEnd();
  expect(numbers()).not.toContain(8);
  world.webhook.script = () => ({ status: 200 });
  settleAll();
  await until('the new ones', () => world.delivered('sub_1') === 8);
  expect(numbers().slice(-2)).toEqual([8, 9]);
  await until('the failed one to have a record of its own', () => world.cursor('sub_1/dc_a/1') !== undefined);
  expect(world.cursor('sub_1/dc_a')?.data).toMatchObject({ open: [], counters: { published: 9, delivered: 8 } });
});

test('a paused webhook gets nothing and keeps nothing in memory, and when resumed continues in order, due retry first', async () => {
  let failing = true;
  world.webhook.script = () => ({ status: failing ? 500 : 200 });
  await world.changeWebhook('wh_1', { retrySchedule: [1, 1] });
  await world.emit(upTo(3));
  await until('the failure', () => world.deliveries('sub_1').length === 1);
  await world.changeWebhook('wh_1', paused);
  const sent = world.webhook.calls.length;
  for (let from = 3; from < 1_003; from += 100) await world.emit(upTo(100).map((n) => n + from));
  await world.markAtEnd();
  const { nextAttemptAt } = world.deliveries('sub_1').at(-1)?.data ?? {};
  await until('the time of the retry to pass', () => Date.now() > Number(nextAttemptAt) + 50);
  expect(world.webhook.calls).toHaveLength(sent);
  expect(world.cursor('sub_1/dc_a')?.data['behindFrom']).not.toBeNull();
  failing = false;
  await world.changeWebhook('wh_1', resumed);
  await until('all', () => world.delivered('sub_1') === 1_003);
  expect(numbers().slice(sent)).toEqual(upTo(1_003));
});

test('a pause and its waiting retries survive kill -9', async () => {
  world.webhook.script = () => ({ status: 500 });
  await world.changeWebhook('wh_1', { ordered: false, retrySchedule: [0.05, 0.05, 0.05, 0.05] });
  await world.emit(upTo(40));
  await until('the failures', () => world.deliveries('sub_1').length >= 40);
  await world.changeWebhook('wh_1', paused);
  await until('what was in flight to end', () => world.webhook.inFlight === 0);
  await world.stop(0);
  const sent = world.webhook.calls.length;
  await world.start();
  await world.emit([41]);
  await world.markAtEnd();
  expect(world.webhook.calls).toHaveLength(sent);
  world.webhook.script = () => ({ status: 200 });
  await world.changeWebhook('wh_1', resumed);
  await until('each of them', () => world.finished('sub_1/dc_a') === 41);
  expect(new Set(numbers().slice(sent)).size).toBe(numbers().slice(sent).length);
});

test('an attempt that ends during a pause is retried once, however often the webhook was paused meanwhile', async () => {
  world.webhook.script = (_, nth) => (nth === 1 ? 'hangs' : { status: 200 });
  await world.emit([1]);
  await until('the attempt', () => world.webhook.inFlight === 1);
  for (let generation = 1; generation < 20; generation++)
    await world.changeWebhook('wh_1', { disabled: generation % 2 === 1, generation });
  world.webhook.calls[0]?.settle({ status: 410 });
  await world.markAtEnd();
  expect(world.webhook.calls).toHaveLength(1);
  await world.changeWebhook('wh_1', { disabled: false, generation: 20 });
  await until('its delivery', () => world.delivered('sub_1') === 1);
  expect(numbers()).toEqual([1, 1]);
});

test('an attempt may take as long as its webhook allows', async () => {
  await world.emit([1]);
  await until('the first', () => world.delivered('sub_1') === 1);
  await world.changeWebhook('wh_1', { timeoutMs: 2_500 });
  await world.emit([2]);
  await until('the second', () => world.delivered('sub_1') === 2);
  expect(world.webhook.calls.map(({ request }) => request.timeoutMs)).toEqual([undefined, 2_500]);
});

test('attempts are signed with every key valid at that time, including the former one until it expires', async () => {
  const signatures = (): number[] =>
    world.webhook.calls.map(({ request }) => String(request.headers['webhook-signature']).split(' ').length);
  await world.emit([1]);
  await until('the first', () => world.delivered('sub_1') === 1);
  const validUntil = Date.now() + 60_000;
  await world.changeWebhook('wh_1', {
    signingKey: sealedKey(9),
    formerKeys: [{ key: sealedKey(4), validUntil, madeBy: null }],
  });
  await world.emit([2]);
  await until('the second', () => world.delivered('sub_1') === 2);
  const { request } = world.webhook.calls[1] ?? {};
  for (const byte of [9, 4])
    expect(new Webhook(secretOf(byte)).verify(request?.body ?? '', { ...request?.headers })).toMatchObject({ n: 2 });
  world.clockAheadMs = 60_001;
  await world.emit([3]);
  await until('the third', () => world.delivered('sub_1') === 3);
  expect(signatures()).toEqual([1, 2, 1]);
});
