// Delivery counts and reports events older than retention, and continues with the rest.
import { DeliveryWorld, upTo } from '../delivery.world.fake.ts';
import type { CursorCounters } from '../../../domain/delivery/messages.ts';
import type { WebhookDefinition } from '../../../domain/listener/definition/messages.ts';
import { until } from '../../../../test/support/until.ts';

let world: DeliveryWorld;
afterEach(() => world.end());

async function worldWith(
  ordered: boolean,
  settings: Partial<WebhookDefinition['data']> = { retrySchedule: Array.from({ length: 5 }, () => 1_000) },
): Promise<DeliveryWorld> {
  const newWorld = new DeliveryWorld();
  await newWorld.addKey();
  await newWorld.addWebhook('wh_1', { ordered, ...settings });
  await newWorld.subscribe('sub_1', { listenerId: 'wh_1', emitterId: 'dc_*' });
  return newWorld;
}

const counters = (emitterId = 'dc_a'): CursorCounters =>
  world.cursor(`sub_1/${emitterId}`)?.data['counters'] as CursorCounters;

/** The alert is requested in the append that counts the events, so that no kill can separate the two. */
const raised = (): string[] => world.log.records('commands').map(({ type, key }) => `${type} ${key}`);

test('a blocked ordered cursor counts expired events, raises one alert and continues at the first remaining event', async () => {
  world = await worldWith(true);
  world.webhook.script = (request) => ({ status: (JSON.parse(request.body) as { n: number }).n < 100 ? 500 : 200 });
  await world.start();
  await world.emit(upTo(30), { ms: 1_000 });
  await world.emit([101, 102], { ms: 3_000 });
  await until('the first attempt', () => world.sentTo('wh_1').length === 1);
  await world.setRetention(2_000);
  await until('what is left', () => world.delivered('sub_1') === 2);
  await world.retentionApplied();
  await world.markAtEnd();
  expect(world.sentTo('wh_1')).toEqual([1, 101, 102]);
  expect(counters()).toEqual({
    published: 32,
    delivered: 2,
    parked: 0,
    filtered: 0,
    expired: { gone: 0, retention: 30 },
  });
  expect(raised()).toEqual(['RaiseAlert events_expired/sub_1']);
  expect(world.errorsLogged).toEqual([]);
  expect(world.fatal).toEqual([]);
});

test('retries of an unordered cursor expire too, including those with records of their own', async () => {
  world = await worldWith(false);
  world.webhook.script = () => ({ status: 500 });
  await world.start();
  await world.emit(upTo(50), { ms: 1_000 });
  await world.emit([51], { ms: 3_000 });
  await until('every attempt', () => world.deliveries('sub_1').length === 51);
  await world.setRetention(2_000);
  await world.retentionApplied();
  expect(counters()).toMatchObject({ published: 51, delivered: 0, expired: { gone: 0, retention: 50 } });
  const waiting = world.log
    .records('cursors')
    .filter(({ type, data }) => type === 'RetryWaiting' && data !== undefined);
  const newest = new Map(world.log.records('cursors').map((record) => [record.key, record]));
  expect(waiting.filter(({ key }) => newest.get(key)?.data !== undefined)).toEqual([]);
  expect(raised()).toEqual(['RaiseAlert events_expired/sub_1']);
});

test('delivered events, and expired ones behind an event that has not expired, are not counted as expired', async () => {
  world = await worldWith(true);
  await world.start();
  await world.emit(upTo(5), { ms: 1_000 });
  await until('all of them', () => world.delivered('sub_1') === 5);
  world.webhook.script = () => ({ status: 500 });
  await world.emit([6], { ms: 3_000, emitterId: 'dc_b' });
  await world.emit([7], { ms: 1_500, emitterId: 'dc_b' });
  await world.setRetention(2_000);
  await world.retentionApplied();
  await world.markAtEnd();
  expect([counters().expired.retention, raised()]).toEqual([0, []]);
  expect(world.sentTo('wh_1', 'dc_b')).toEqual([6]);
});

test('events that arrive after they expired are counted as they come, even on unknown cursors', async () => {
  world = await worldWith(true);
  await world.setRetention(2_000);
  await world.emit(upTo(700), { ms: 1_000 });
  await world.emit([701], { ms: 3_000 });
  await world.start();
  await until('the one that is left', () => world.delivered('sub_1') === 1);
  await world.retentionApplied();
  await world.markAtEnd();
  expect(world.sentTo('wh_1')).toEqual([701]);
  expect(counters()).toMatchObject({ published: 701, delivered: 1, expired: { retention: 700 } });
});

test.each([true, false])(
  'the position names the newest event that expired, whether it waited before: %s',
  async (waited) => {
    world = await worldWith(true);
    await world.disable('wh_1');
    if (waited) await world.start();
    else await world.setRetention(2_000);
    await world.emit(upTo(3), { ms: 1_000 });
    if (waited) await world.setRetention(2_000);
    else await world.start();
    await world.retentionApplied();
    await until('all of them', () => counters()?.expired.retention === 3);
    const newest = world.log.records('channels').at(-1)?.data as { eventId: string };
    expect(world.cursor('sub_1/dc_a')?.data).toMatchObject({ report: { eventId: newest.eventId } });
  },
);

test.each([true, false])('each event is counted once, whenever the stage is killed (ordered: %s)', async (ordered) => {
  world = await worldWith(ordered);
  world.webhook.script = () => ({ status: 500 });
  await world.start();
  await world.emit(upTo(1_500), { ms: 1_000 });
  await until('an attempt', () => world.sentTo('wh_1').length > 0);
  await world.setRetention(2_000);
  for (let kill = 0; kill < 8; kill++) {
    await new Promise((resolve) => setTimeout(resolve, kill));
    await world.stop(0);
    // Once events are counted, their alert is already requested.
    if ((counters()?.expired.retention ?? 0) > 0) expect(raised()).not.toEqual([]);
    await world.start();
  }
  await world.retentionApplied();
  await world.markAtEnd();
  await until('every event', () => world.finished('sub_1/dc_a') === 1_500);
  const { published, expired } = counters();
  expect([published, expired.gone]).toEqual([1_500, 0]);
  expect(new Set(raised())).toEqual(new Set(['RaiseAlert events_expired/sub_1']));
  expect(world.fatal).toEqual([]);
});

test('events that wait behind others of their key expire too, when nothing of their cursor is under way', async () => {
  world = await worldWith(true, { orderKey: '/emitterId' });
  const answer = Promise.withResolvers<void>();
  world.webhook.script = async () => {
    await answer.promise;
    return { status: 200 };
  };
  await world.start();
  await world.emit([1, 2, 3], { ms: 1_000 });
  await world.emit([4], { ms: 3_000 });
  await until('the attempt', () => world.sentTo('wh_1').length === 1);
  await world.changeWebhook('wh_1', { disabled: true });
  answer.resolve();
  await until('the first', () => world.finished('sub_1/dc_a') === 1);
  await world.setRetention(2_000);
  await world.retentionApplied();
  expect(counters()).toMatchObject({ published: 4, delivered: 1, expired: { retention: 2 } });
  await world.changeWebhook('wh_1', { disabled: false, generation: 1 });
  await until('the last', () => world.finished('sub_1/dc_a') === 4);
  expect(world.sentTo('wh_1')).toEqual([1, 4]);
});

test('an attempt still in flight when its event expires changes nothing', async () => {
  world = await worldWith(true);
  const answer = Promise.withResolvers<void>();
  world.webhook.script = async (request) => {
    if ((JSON.parse(request.body) as { n: number }).n === 1) await answer.promise;
    return { status: 200 };
  };
  await world.start();
  await world.emit([1], { ms: 1_000 });
  await world.emit([2], { ms: 3_000 });
  await until('the attempt', () => world.sentTo('wh_1').length === 1);
  await world.setRetention(2_000);
  await world.retentionApplied();
  answer.resolve();
  await until('the next one', () => world.delivered('sub_1') === 1);
  expect(counters()).toMatchObject({ published: 2, expired: { retention: 1 } });
  expect(world.fatal).toEqual([]);
});

test('an alert ends with the blocking event that expires, also after a restart, and so does a later one', async () => {
  world = await worldWith(true, { onExhausted: 'block', retrySchedule: [0.001] });
  await world.start();
  let isFailing = true;
  world.webhook.script = () => ({ status: isFailing ? 500 : 200 });
  const isBlocked = (): boolean => world.liveAlerts.has('delivery_blocked/sub_1');
  await world.emit([1], { ms: 1_000 });
  await until('the first alert', isBlocked);
  await world.setRetention(2_000);
  await until('its end', () => !isBlocked());
  await world.emit([2], { ms: 3_000 });
  await until('the second alert', isBlocked);
  await world.stop(0);
  await world.start();
  await world.setRetention(4_000);
  await until('its end', () => !isBlocked());
  await world.emit([3], { ms: 5_000 });
  await until('the third alert', isBlocked);
  isFailing = false;
  await world.changeWebhook('wh_1', { name: 'repaired' });
  await until('its end', () => !isBlocked());
  expect(counters()).toMatchObject({ published: 3, delivered: 1, expired: { retention: 2 } });
});
