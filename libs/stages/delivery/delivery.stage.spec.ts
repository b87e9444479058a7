import { Webhook } from 'standardwebhooks';
import { until } from '../../../test/support/until.ts';
import { DeliveryWorld, secret, upTo } from './delivery.world.fake.ts';

let world: DeliveryWorld;

beforeEach(async () => {
  world = new DeliveryWorld();
  await world.addKey();
  await world.addWebhook('wh_1', { retrySchedule: [0.001, 0.001] });
  await world.subscribe('sub_1', { listenerId: 'wh_1' });
  await world.start();
});
afterEach(async () => {
  expect(world.fatal).toEqual([]);
  await world.end();
});

test('events arrive in order, one at a time, and each attempt is on the log with its cursor', async () => {
  let most = 0;
  world.webhook.script = async () => {
    most = Math.max(most, world.webhook.inFlight);
    return { status: 200, body: 'thanks' };
  };
  await world.emit(upTo(20));
  await until('20 deliveries', () => world.delivered('sub_1') === 20);
  expect(world.sentTo('wh_1')).toEqual(upTo(20));
  expect(most).toBe(1);
  expect(world.deliveries('sub_1')[0]).toMatchObject({
    type: 'DeliveryAttempted',
    data: { attempt: 1, outcome: 'delivered', status: 200, answer: 'thanks', webhookId: 'wh_1', nextAttemptAt: null },
  });
  const end = await world.log.end('channels', 0);
  await until('the cursor to be at the end', () => world.finished('sub_1/dc_a') === 20);
  expect(world.cursor('sub_1/dc_a')?.data).toMatchObject({ next: end, open: [], behindFrom: null });
});

test('the request is the raw event with Standard Webhooks headers that the public library accepts', async () => {
  await world.emit([7]);
  await until('the call', () => world.webhook.calls[0]);
  const request = world.webhook.calls[0]?.request;
  expect(request?.body).toBe('{"n":7,"emitterId":"dc_a"}');
  expect(request?.headers).toMatchObject({ 'content-type': 'application/json', 'x-pd-emitter-id': 'dc_a' });
  expect(request?.headers['webhook-id']).toMatch(/^msg_[0-9A-Za-z]{16}$/);
  expect(new Webhook(secret).verify(request?.body ?? '', { ...request?.headers })).toEqual({ n: 7, emitterId: 'dc_a' });
  const { 'webhook-timestamp': seconds, 'x-pd-timestamp': at, 'x-pd-signature': signed } = request?.headers ?? {};
  expect(at).toBe(new Date(Number(seconds) * 1000).toISOString());
  expect(signed).toMatch(new RegExp(`^t=${seconds},v1=[0-9a-f]{64}$`));
});

test('a failing head is retried with the same webhook-id before any later event', async () => {
  let failures = 2;
  world.webhook.script = () => (failures-- > 0 ? { status: 500 } : { status: 200 });
  await world.emit(upTo(3));
  await until('3 deliveries', () => world.delivered('sub_1') === 3);
  expect(world.sentTo('wh_1')).toEqual([1, 1, 1, 2, 3]);
  expect(new Set(world.webhook.calls.slice(0, 3).map(({ request }) => request.headers['webhook-id'])).size).toBe(1);
  expect(world.deliveries('sub_1').map(({ data }) => data['attempt'])).toEqual([1, 2, 3, 1, 1]);
});

test('after the last attempt the event is parked and the next one continues', async () => {
  world.webhook.script = ({ body }) => ({ status: body.includes('"n":1,') ? 500 : 200 });
  await world.emit(upTo(2));
  await until('the second delivery', () => world.delivered('sub_1') === 1);
  expect(world.sentTo('wh_1')).toEqual([1, 1, 1, 2]);
  const parked = world.deliveries('sub_1').find(({ type }) => type === 'DeliveryParked');
  expect(parked?.data).toMatchObject({ attempts: 3, reason: 'attempts_exhausted' });
  expect(world.cursor('sub_1/dc_a')?.data).toMatchObject({
    counters: { published: 2, delivered: 1, parked: 1 },
    open: [],
  });
});

test('a failing head blocks only its own source', async () => {
  await world.addWebhook('wh_all', { retrySchedule: [3600] });
  await world.subscribe('sub_all', { listenerId: 'wh_all', emitterId: 'dc_*' });
  world.webhook.script = ({ body }) => ({ status: body.includes('dc_bad') ? 500 : 200 });
  await world.emit(upTo(3), { emitterId: 'dc_bad' });
  await world.emit(upTo(3), { emitterId: 'dc_good' });
  await until('the good ones', () => world.delivered('sub_all') === 3);
  expect(world.sentTo('wh_all', 'dc_bad')).toEqual([1]);
  expect(world.sentTo('wh_all', 'dc_good')).toEqual([1, 2, 3]);
  await until('the bad cursor', () => world.cursor('sub_all/dc_bad')?.data['behindFrom'] !== null);
  expect(world.cursor('sub_all/dc_bad')?.data['open']).toHaveLength(1);
});

test('a 410 answer parks the event, asks for the webhook to be disabled, and stops sending', async () => {
  world.webhook.script = () => ({ status: 410 });
  await world.emit(upTo(3));
  await until('the request', () => world.log.records('commands').length === 1);
  await world.markAtEnd();
  expect(world.sentTo('wh_1')).toEqual([1]);
  expect(world.deliveries('sub_1').at(-1)).toMatchObject({ type: 'DeliveryParked', data: { reason: 'gone' } });
  const command = world.log.records('commands')[0];
  expect(command).toMatchObject({ type: 'DisableWebhook', key: 'wh_1', data: { webhookId: 'wh_1', reason: 'gone' } });
});

test('without an event name a subscription gets every channel not starting with $, with one only that channel', async () => {
  await world.addWebhook('wh_2');
  await world.subscribe('sub_2', { listenerId: 'wh_2', eventName: 'orders' });
  await world.emit([1], { channel: 'orders' });
  await world.emit([2]);
  await world.emit([3], { channel: '$errors' });
  await world.emit([4], { channel: 'orders' });
  await until('all', () => world.delivered('sub_1') === 3 && world.delivered('sub_2') === 2);
  expect(world.sentTo('wh_1')).toEqual([1, 2, 4]);
  expect(world.sentTo('wh_2')).toEqual([1, 4]);
});

test('another workspace gets nothing, whatever it subscribed to', async () => {
  await world.addWebhook('wh_2');
  await world.subscribe('sub_2', { listenerId: 'wh_2', workspace: 'o_2' });
  await world.subscribe('sub_3', { listenerId: 'wh_2', emitterId: 'dc_*', workspace: 'o_2' });
  await world.emit([1]);
  await until('the own one', () => world.delivered('sub_1') === 1);
  await world.markAtEnd();
  expect(world.sentTo('wh_2')).toEqual([]);
});

test('without order up to 64 are in flight at once, and a slow one blocks nobody', async () => {
  await world.addWebhook('wh_fast', { ordered: false });
  await world.subscribe('sub_fast', { listenerId: 'wh_fast', emitterId: 'dc_b' });
  world.webhook.script = ({ body }) => (body.includes('"n":1,') ? 'hangs' : { status: 200 });
  await world.emit(upTo(200), { emitterId: 'dc_b' });
  await until('all but the slow one', () => world.delivered('sub_fast') === 199);
  expect(world.webhook.inFlight).toBe(1);
  world.webhook.script = () => 'hangs';
  await world.emit(upTo(200), { emitterId: 'dc_b' });
  await until('the lane to be full', () => world.webhook.inFlight === 64);
});

test('a subscription starts at its recorded channel ends, even when the tail has passed them', async () => {
  await world.emit([1]);
  const end = await world.log.end('channels', 0);
  await world.emit([2, 3]);
  await until('the tail to have passed them', () => world.delivered('sub_1') === 3);
  await world.addWebhook('wh_2');
  await world.subscribe('sub_2', { listenerId: 'wh_2', channelEnd: end });
  await world.emit([4]);
  await until('3 deliveries', () => world.delivered('sub_2') === 3);
  expect(world.sentTo('wh_2')).toEqual([2, 3, 4]);
  expect(world.cursor('sub_2')).toBeUndefined();
});

test('after a delete nothing more is sent, the attempt in flight is recorded, and the cursors are closed', async () => {
  world.webhook.script = () => 'hangs';
  await world.emit(upTo(3));
  await until('the first call', () => world.webhook.inFlight === 1);
  await world.unsubscribe('sub_1');
  await until('the base to be closed', () => world.isRemoved('sub_1'));
  world.webhook.script = () => ({ status: 200 });
  world.webhook.calls[0]?.settle({ status: 200 });
  await until('the attempt in flight', () => world.delivered('sub_1') === 1);
  await world.emit([4]);
  await world.markAtEnd();
  expect(world.sentTo('wh_1')).toEqual([1]);
  expect(world.isRemoved('sub_1/dc_a')).toBe(true);
});

test('a disabled webhook gets no further attempts, not even a retry', async () => {
  // Long enough to disable it before the retry, even on a busy machine.
  await world.addWebhook('wh_2', { retrySchedule: [2, 2] });
  await world.subscribe('sub_2', { listenerId: 'wh_2', emitterId: 'dc_b' });
  await world.subscribe('sub_3', { listenerId: 'wh_1', emitterId: 'dc_b' });
  world.webhook.script = ({ url }) => ({ status: url.endsWith('wh_2') ? 500 : 200 });
  await world.emit(upTo(2), { emitterId: 'dc_b' });
  await until('its first failure', () => world.deliveries('sub_2').length === 1);
  await world.disable('wh_2');
  await world.emit([3], { emitterId: 'dc_b' });
  await until('the other one', () => world.delivered('sub_3') === 3);
  await until('the time of the retry to pass', () => Date.now() > retryDue(world) + 100);
  expect(world.sentTo('wh_2')).toEqual([1]);
});

const retryDue = (of: DeliveryWorld): number => Number(of.deliveries('sub_2')[0]?.data['nextAttemptAt']);

test('delivery waits for a data key that arrives late', async () => {
  const late = new DeliveryWorld();
  await late.addWebhook('wh_1');
  await late.subscribe('sub_1', { listenerId: 'wh_1' });
  await late.start();
  await late.emit(upTo(3));
  await late.markAtEnd();
  expect(late.webhook.calls).toHaveLength(0);
  await late.addKey();
  await until('3 deliveries', () => late.delivered('sub_1') === 3);
  expect(late.sentTo('wh_1')).toEqual([1, 2, 3]);
  await late.end();
});
