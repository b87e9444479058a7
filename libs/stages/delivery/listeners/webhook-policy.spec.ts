// What a webhook's owner can set besides url and order: headers, blocking, and how many attempts at once.
import { until } from '../../../../test/support/until.ts';
import { DeliveryWorld, sealed, sealedKey, upTo } from '../delivery.world.fake.ts';

let world: DeliveryWorld;

beforeEach(async () => {
  world = new DeliveryWorld();
  await world.addKey();
  await world.addWebhook('wh_1', { retrySchedule: [0.001] });
  await world.subscribe('sub_1', { listenerId: 'wh_1', emitterId: 'dc_*' });
  await world.start();
});
afterEach(async () => {
  expect(world.fatal).toEqual([]);
  await world.end();
});

test('fixed headers go with each attempt, and may replace the user agent', async () => {
  const headers = [
    { name: 'authorization', value: sealed('Bearer t0k3n') },
    { name: 'user-agent', value: sealed('mine/1') },
  ];
  await world.changeWebhook('wh_1', { headers });
  await world.emit([1]);
  await until('the first', () => world.delivered('sub_1') === 1);
  await world.changeWebhook('wh_1', { headers: [] });
  await world.emit([2]);
  await until('the second', () => world.delivered('sub_1') === 2);
  const [first, second] = world.webhook.calls.map(({ request }) => request.headers);
  expect(first).toMatchObject({ authorization: 'Bearer t0k3n', 'user-agent': 'mine/1' });
  expect(second).not.toHaveProperty('authorization');
  expect(second?.['user-agent']).toMatch(/^Wellspring/);
  expect(JSON.stringify(world.log.records('deliveries'))).not.toContain('t0k3n');
});

test.each([
  ['strict', {}],
  ['by key', { orderKey: '/key' }],
])('with onExhausted: block and an order that is %s, one answered with 410 stays first in line', async (_, order) => {
  const settings = { retrySchedule: [3_600], onExhausted: 'block', ...order } as const;
  await world.changeWebhook('wh_1', settings);
  world.webhook.script = () => ({ status: 410 });
  await world.emit(upTo(2), { keyOf: () => 'k' });
  await until('the request', () => world.log.records('commands').length === 1);
  expect(world.log.records('commands')[0]).toMatchObject({ type: 'DisableWebhook', key: 'wh_1' });
  await world.markAtEnd();
  await world.stop(0);
  await world.disable('wh_1');
  await world.start();
  world.webhook.script = () => ({ status: 200 });
  await world.addWebhook('wh_1', { ...settings, generation: 1 });
  await until('both', () => world.delivered('sub_1') === 2);
  expect(world.sentTo('wh_1')).toEqual([1, 1, 2]);
  expect(world.deliveries('sub_1').map(({ type }) => type)).not.toContain('DeliveryParked');
  await until('the counters', () => world.finished('sub_1/dc_a') === 2);
});

test('with onExhausted: block, a resume in the same process tries the event that was answered with 410', async () => {
  await world.changeWebhook('wh_1', { onExhausted: 'block', retrySchedule: [] });
  world.webhook.script = () => ({ status: 410 });
  await world.emit(upTo(2));
  await until('the request', () => world.log.records('commands').length === 1);
  expect(world.liveAlerts).toContain('delivery_blocked/sub_1');
  await world.changeWebhook('wh_1', { disabled: true });
  world.webhook.script = () => ({ status: 200 });
  await world.changeWebhook('wh_1', { disabled: false, generation: 1 });
  await until('both', () => world.delivered('sub_1') === 2);
  expect(world.sentTo('wh_1')).toEqual([1, 1, 2]);
  expect([...world.liveAlerts]).toEqual([]);
});

describe('a webhook with onExhausted: block', () => {
  let isFailing: boolean;

  beforeEach(async () => {
    isFailing = true;
    world.webhook.script = ({ body }) => ({ status: isFailing && body.includes('"n":1,') ? 500 : 200 });
    await world.changeWebhook('wh_1', { onExhausted: 'block' });
    await world.emit(upTo(3), { emitterId: 'dc_a' });
    await world.emit([4], { emitterId: 'dc_b' });
    await until('both attempts', () => world.sentTo('wh_1', 'dc_a').length === 2);
    await until('the other source', () => world.delivered('sub_1') === 1);
    await until('their records', () => world.deliveries('sub_1').length === 3);
    await until('the alert', () => world.liveAlerts.size > 0);
  });

  test('keeps an event past its last retry in place, and raises one alert', async () => {
    await world.markAtEnd();
    expect(world.sentTo('wh_1', 'dc_a')).toEqual([1, 1]);
    expect([...world.liveAlerts]).toEqual(['delivery_blocked/sub_1']);
    expect(world.cursor('sub_1/dc_a')?.data['counters']).toMatchObject({ published: 1, delivered: 0, parked: 0 });
  });

  test('raises the alert again after a restart', async () => {
    await world.markAtEnd();
    await world.stop(0);
    world.liveAlerts.clear();
    await world.start();
    await until('the alert', () => world.liveAlerts.size > 0);
    expect([...world.liveAlerts]).toEqual(['delivery_blocked/sub_1']);
  });

  test('reports no time for its next attempt', () => {
    expect(world.cursor('sub_1/dc_a')?.data['report']).toMatchObject({ retryAt: null });
  });

  test.each([
    ['the subscription', () => world.unsubscribe('sub_1')],
    ['the event', () => world.delete()],
  ])('ends the alert when %s is deleted, also after a restart', async (_what, remove) => {
    await world.stop(0);
    await world.start();
    await remove();
    await until('the end of the alert', () => world.liveAlerts.size === 0);
    expect(world.sentTo('wh_1', 'dc_a')).not.toContain(2);
  });

  test.each([
    ['updated', { name: 'other' }],
    ['pointed elsewhere', { url: 'https://other.example/wh_1', generation: 1 }],
  ])('retries it at once when %s, and continues in order', async (_name, change) => {
    await world.changeWebhook('wh_1', { name: 'still failing' });
    await until('another attempt', () => world.sentTo('wh_1', 'dc_a').length === 3);
    await until('its record', () => world.deliveries('sub_1').length === 4);
    isFailing = false;
    await world.changeWebhook('wh_1', change);
    await until('all', () => world.delivered('sub_1') === 4);
    expect(world.sentTo('wh_1', 'dc_a')).toEqual([1, 1, 1, 1, 2, 3]);
    expect([...world.liveAlerts]).toEqual([]);
  });

  test('ends the alert when it no longer blocks after a restart', async () => {
    await world.stop(0);
    await world.addWebhook('wh_1', { retrySchedule: [0.001] });
    await world.start();
    await until('the others', () => world.delivered('sub_1') === 3);
    expect([...world.liveAlerts]).toEqual([]);
  });

  test('retries it after a pause and after kill -9', async () => {
    await world.changeWebhook('wh_1', { disabled: true, pausedAt: 1, generation: 1 });
    await world.changeWebhook('wh_1', { disabled: false, generation: 2 });
    await until('another attempt', () => world.sentTo('wh_1', 'dc_a').length === 3);
    await until('its record', () => world.deliveries('sub_1').length === 4);
    await world.stop(0);
    isFailing = false;
    await world.start();
    await until('all', () => world.finished('sub_1/dc_a') === 3);
    expect(world.sentTo('wh_1', 'dc_a')).toEqual([1, 1, 1, 1, 2, 3]);
    expect([...world.liveAlerts]).toEqual([]);
  });

  test('parks it when the webhook no longer blocks', async () => {
    await world.changeWebhook('wh_1', { onExhausted: undefined as never });
    await until('the others', () => world.delivered('sub_1') === 3);
    expect(world.deliveries('sub_1').filter(({ type }) => type === 'DeliveryParked')).toHaveLength(1);
  });
});

test('no more attempts are in flight than maxInFlight allows, and a change applies at once', async () => {
  await world.changeWebhook('wh_1', { ordered: false, maxInFlight: 3 });
  await world.emit([0]);
  await until('an answer', () => world.delivered('sub_1') === 1);
  world.webhook.script = () => 'hangs';
  await world.emit(upTo(300));
  await world.markAtEnd();
  expect(world.webhook.inFlight).toBe(3);
  await world.changeWebhook('wh_1', { maxInFlight: 200 });
  await until('as many as it allows now', () => world.webhook.inFlight === 200);
  await world.changeWebhook('wh_1', { maxInFlight: 2 });
  for (const call of world.webhook.calls.slice(0, 199)) call.settle({ status: 200 });
  await until('their records', () => world.delivered('sub_1') === 199);
  expect(world.webhook.inFlight).toBe(2);
});

test('attempts waiting for the rate limit of one webhook take no place from another', async () => {
  await world.changeWebhook('wh_1', { ordered: false, rateLimit: 1 });
  await world.addWebhook('wh_2', { ordered: false });
  await world.subscribe('sub_2', { listenerId: 'wh_2', emitterId: 'dc_*' });
  await world.emit(upTo(200));
  await until('all of the other', () => world.delivered('sub_2') === 200);
  expect(world.sentTo('wh_1').length).toBeLessThan(60);
  await world.changeWebhook('wh_1', { rateLimit: undefined as never });
  await until('the rest at once', () => world.delivered('sub_1') === 200);
});

test('a webhook with an unreadable signing key gets its events once it has another key', async () => {
  await world.changeWebhook('wh_1', { signingKey: { $sealed: 'bm90aGluZw==' } });
  await world.emit([1]);
  await until('the alert', () => world.liveAlerts.has('seal_does_not_open/wh_1'));
  await world.changeWebhook('wh_1', { name: 'other' });
  expect(world.webhook.calls).toEqual([]);
  await world.changeWebhook('wh_1', { signingKey: sealedKey(9) });
  await until('its delivery', () => world.delivered('sub_1') === 1);
});
