import fc from 'fast-check';
import { PortError } from '../../domain/port-error.ts';
import { samples } from '../../domain/record/samples.fake.ts';
import type { AppendFault } from '../../log/contract/harness.ts';
import { until } from '../../../test/support/until.ts';
import { positionKey } from '../../log/log.ts';
import { DeliveryWorld, upTo } from './delivery.world.fake.ts';

const count = 12;

/** Removes repeats, as a receiver does that ignores copies by webhook-id. */
const distinct = (numbers: readonly number[]): number[] => [...new Set(numbers)];

async function worldWith(ordered: boolean): Promise<DeliveryWorld> {
  const world = new DeliveryWorld({ flushCompletions: 3, flushMs: 2 });
  await world.addKey();
  await world.addWebhook('wh_1', { ordered, retrySchedule: Array.from({ length: 20 }, () => 0.001) });
  await world.subscribe('sub_1', { listenerId: 'wh_1', emitterId: 'dc_*' });
  return world;
}

const fault = fc.constantFrom<AppendFault>('unknown_outcome_committed', 'unknown_outcome_lost', 'unavailable');
/** The calls of the receiver at which the next append fails, how it fails, and the calls answered with an error. */
const course = fc.record({
  faults: fc.array(fc.tuple(fc.integer({ min: 1, max: 20 }), fault), { maxLength: 3 }),
  errors: fc.uniqueArray(fc.integer({ min: 1, max: 20 }), { maxLength: 3 }),
});

test.each([true, false])(
  'every event arrives, whatever appends fail, and in order per source when ordered (%s)',
  async (ordered) => {
    await fc.assert(
      fc.asyncProperty(course, async ({ faults, errors }) => {
        const world = await worldWith(ordered);
        for (const n of upTo(count)) await world.emit([n], { emitterId: n % 3 === 0 ? 'dc_b' : 'dc_a' });
        world.webhook.script = (_, nth) => {
          for (const [at, kind] of faults) if (at === nth) world.log.failNextAppend(kind);
          return { status: errors.includes(nth) ? 500 : 200 };
        };
        await world.start();
        await until('every event', () => distinct(world.sentTo('wh_1')).length === count);
        await until('their record', () => finishedCount(world) >= count);
        await world.stop();
        expect(world.fatal).toEqual([]);
        expect(finishedCount(world)).toBe(count);
        for (const emitterId of ordered ? ['dc_a', 'dc_b'] : []) {
          const sent = distinct(world.sentTo('wh_1', emitterId));
          expect(sent).toEqual(sent.toSorted((a, b) => a - b));
        }
        await world.end();
      }),
      { numRuns: 25 },
    );
  },
  30_000,
);

const finishedCount = (world: DeliveryWorld): number =>
  ['dc_a', 'dc_b'].reduce((sum, emitter) => sum + world.finished(`sub_1/${emitter}`), 0);

test('a clean stop and start repeats nothing and loses nothing', async () => {
  const world = await worldWith(true);
  await world.start();
  await world.emit(upTo(5));
  await until('5 calls', () => world.webhook.calls.length === 5);
  await world.stop();
  await world.emit([6, 7]);
  await world.start();
  await until('7 deliveries', () => world.delivered('sub_1') === 7);
  await world.stop();
  expect(world.sentTo('wh_1')).toEqual(upTo(7));
  await world.end();
});

test('a kill repeats at most what was in flight or had finished since the last flush', async () => {
  const world = await worldWith(false);
  await world.start();
  world.webhook.script = ({ body }) => (body.includes('"n":4,') ? 'hangs' : { status: 200 });
  await world.emit(upTo(10));
  await until('9 records', () => world.delivered('sub_1') === 9);
  await world.stop(0);
  world.webhook.script = () => ({ status: 200 });
  await world.start();
  await until('the tenth', () => world.delivered('sub_1') === 10);
  expect(world.sentTo('wh_1').toSorted((a, b) => a - b)).toEqual([1, 2, 3, 4, 4, 5, 6, 7, 8, 9, 10]);
  await world.end();
});

test('events queued behind one in flight are not lost when the mark has passed them', async () => {
  const world = await worldWith(true);
  await world.start();
  world.webhook.script = () => 'hangs';
  await world.emit([1]);
  await world.markAtEnd();
  await world.emit([2, 3]);
  await world.markAtEnd();
  await world.stop(0);
  world.webhook.script = () => ({ status: 200 });
  await world.start();
  await until('3 deliveries', () => world.delivered('sub_1') === 3);
  expect(world.sentTo('wh_1')).toEqual([1, 1, 2, 3]);
  await world.end();
});

test('a retry that comes due during a restart runs afterwards, with the next attempt number', async () => {
  const world = new DeliveryWorld();
  await world.addKey();
  await world.addWebhook('wh_1', { retrySchedule: [1] });
  await world.subscribe('sub_1', { listenerId: 'wh_1' });
  await world.start();
  world.webhook.script = () => ({ status: 500 });
  await world.emit(upTo(3));
  await until('the failure', () => world.deliveries('sub_1').length === 1);
  await world.stop();
  world.webhook.script = () => ({ status: 200 });
  await world.start();
  await until('3 deliveries', () => world.delivered('sub_1') === 3);
  expect(world.deliveries('sub_1').map(({ data }) => data['attempt'])).toEqual([1, 2, 1, 1]);
  expect(world.sentTo('wh_1')).toEqual([1, 1, 2, 3]);
  await world.end();
});

test.each([-3_600_000, 3_600_000])('a clock set by %i ms neither delays nor hastens a retry', async (ms) => {
  const world = new DeliveryWorld();
  await world.addKey();
  await world.addWebhook('wh_1', { retrySchedule: [1] });
  await world.subscribe('sub_1', { listenerId: 'wh_1' });
  await world.start();
  const calledAt: number[] = [];
  world.webhook.script = () => ({ status: calledAt.push(performance.now()) === 1 ? 500 : 200 });
  await world.emit([1]);
  await until('the failure', () => world.deliveries('sub_1').length === 1);
  world.clockAheadMs = ms;
  await world.emit([2]);
  await until('both deliveries', () => world.delivered('sub_1') === 2);
  expect((calledAt[1] ?? 0) - (calledAt[0] ?? 0)).toBeGreaterThan(900);
  await world.end();
});

test('a retry whose event cannot be read for a while gives its slot back and runs later', async () => {
  const world = new DeliveryWorld({ retriesPerWebhookMax: 1 });
  await world.addKey();
  await world.addWebhook('wh_1', { retrySchedule: [0.01] });
  await world.subscribe('sub_1', { listenerId: 'wh_1' });
  const read = world.log.read.bind(world.log);
  let failures = 0;
  world.log.read = async (topic, partition, from, bounds) => {
    const rereads = topic === 'channels' && bounds.recordsMax === 1;
    if (rereads && ++failures <= 2) throw new PortError('unavailable', 'told to be');
    return read(topic, partition, from, bounds);
  };
  await world.start();
  world.webhook.script = (_, nth) => ({ status: nth === 1 ? 500 : 200 });
  await world.emit([1]);
  await until('the delivery', () => world.delivered('sub_1') === 1);
  expect(world.sentTo('wh_1')).toEqual([1, 1]);
  await world.end();
});

test('a subscription made while delivery was down starts at its recorded channel ends', async () => {
  const world = await worldWith(true);
  await world.start();
  await world.emit([1]);
  await until('the first', () => world.delivered('sub_1') === 1);
  await world.stop();
  const end = await world.log.end('channels', 0);
  await world.emit([2, 3]);
  await world.addWebhook('wh_2');
  await world.subscribe('sub_2', { listenerId: 'wh_2', channelEnd: end });
  await world.start();
  await until('both', () => world.delivered('sub_1') === 3 && world.delivered('sub_2') === 2);
  expect(world.sentTo('wh_2')).toEqual([2, 3]);
  await world.end();
});

test('a subscription deleted while delivery was down is closed before anything is sent', async () => {
  const world = await worldWith(true);
  await world.start();
  world.webhook.script = () => 'hangs';
  await world.emit(upTo(3));
  await until('the first call', () => world.webhook.calls.length === 1);
  await until('it to be open on the cursor', () => world.cursor('sub_1/dc_a'));
  await world.stop(0);
  await world.unsubscribe('sub_1');
  await world.start();
  await until('the cursors to be closed', () => world.isRemoved('sub_1/dc_a'));
  await world.markAtEnd();
  expect(world.webhook.calls).toHaveLength(1);
  await world.end();
});

/** Stops delivery after events 1 to 3; subscriptions to them are then created, one after the other. */
async function worldWithUnhandled(webhookIds: readonly string[]): Promise<DeliveryWorld> {
  const world = await worldWith(true);
  await world.start();
  await world.emit(upTo(3));
  await until('3 deliveries', () => world.delivered('sub_1') === 3);
  await world.markAtEnd();
  await world.stop();
  for (const webhookId of webhookIds) {
    await world.addWebhook(webhookId);
    await world.subscribe(`sub_of_${webhookId}`, { listenerId: webhookId, channelEnd: 0 });
  }
  return world;
}

test('a subscription made and deleted while delivery was down is sent nothing', async () => {
  const world = await worldWithUnhandled(['wh_gone', ...upTo(20).map((n) => `wh_more_${n}`)]);
  await world.unsubscribe('sub_of_wh_gone');
  await world.start();
  await until('the others', () => world.delivered('sub_of_wh_more_20') === 3);
  expect(world.sentTo('wh_gone')).toEqual([]);
  await world.end();
});

test('a task that failed to open does not send anything alongside its successor', async () => {
  const world = await worldWithUnhandled(upTo(20).map((n) => `wh_more_${n}`));
  const read = world.log.read.bind(world.log);
  let reads = 0;
  world.log.read = async (topic, ...of) => {
    if (topic === 'channels' && ++reads === 20) throw new PortError('unavailable', 'told to be');
    return read(topic, ...of);
  };
  await world.start();
  await until('the last', () => world.delivered('sub_of_wh_more_20') === 3);
  expect(world.sentTo('wh_more_1')).toEqual(upTo(3));
  expect(world.sentTo('wh_more_20')).toEqual(upTo(3));
  await world.end();
});

test('a subscription without a starting position gets nothing, and an error is logged, also after a restart', async () => {
  const world = await worldWith(true);
  await world.addWebhook('wh_2');
  await world.subscribe('sub_2', { listenerId: 'wh_2', eventName: 'lost', channelEnd: null });
  await world.start();
  for (const times of [1, 2]) {
    await world.emit([times], { channel: 'lost' });
    await world.markAtEnd();
    expect(world.errorsLogged).toEqual(
      Array.from({ length: times }, () => expect.stringContaining('where it begins') as string),
    );
    await world.stop();
    await world.start();
    await until('the error', () => world.errorsLogged.length > times);
  }
  expect(world.sentTo('wh_2')).toEqual([]);
  await world.end();
});

test('a subscription read before its webhook gets every event once the webhook is known', async () => {
  const world = await worldWith(true);
  await world.start();
  await world.subscribe('sub_2', { listenerId: 'wh_2' });
  await world.emit(upTo(3));
  await world.markAtEnd();
  await world.stop();
  await world.start();
  await world.emit([4]);
  await until('the others', () => world.delivered('sub_1') === 4);
  await world.addWebhook('wh_2');
  await until('all four', () => world.delivered('sub_2') === 4);
  expect(world.sentTo('wh_2')).toEqual(upTo(4));
  await world.end();
});

test('subscriptions of a deleted webhook are sent nothing at once, and leave nothing once they have ended', async () => {
  const world = await worldWith(true);
  await world.start();
  await world.emit([1]);
  await until('the first', () => world.delivered('sub_1') === 1);
  await world.deleteWebhook('wh_1');
  await world.addWebhook('wh_2');
  await world.subscribe('sub_2', { listenerId: 'wh_2' });
  await world.emit([2]);
  await until('the other', () => world.delivered('sub_2') === 1);
  await world.stop();
  await world.start();
  await world.emit([3]);
  await until('the other', () => world.delivered('sub_2') === 2);
  await world.unsubscribe('sub_1');
  await until('the cursor to go', () => world.isRemoved('sub_1/dc_a'));
  expect(world.sentTo('wh_1')).toEqual([1]);
  await world.end();
});

test('cursors of a subscription that ended while delivery was down are removed', async () => {
  const world = await worldWith(true);
  await world.start();
  await world.emit([1]);
  await until('the first', () => world.delivered('sub_1') === 1);
  await world.stop();
  expect(world.isRemoved('sub_1/dc_a')).toBe(false);
  await world.unsubscribe('sub_1');
  await world.start();
  await until('the cursor to go', () => world.isRemoved('sub_1/dc_a'));
  await world.end();
});

test('after a version without definitions, known subscriptions continue and unseen ones start', async () => {
  const world = await worldWith(true);
  await world.emit([1]);
  const [first] = world.log.records('channels');
  await world.append('listeners', world.record('SubscriptionCreated', 'sub_1', {}));
  const listeners = await world.log.end('listeners', 0);
  await world.subscribe('sub_2', { listenerId: 'wh_1', eventName: 'x', channelEnd: first?.offset ?? 0 });
  const created = { ...samples.listeners.SubscriptionCreated, subscriptionId: 'sub_2' };
  await world.append('listeners', world.record('SubscriptionCreated', 'sub_2', created));
  await world.emit([2], { channel: 'x' });
  const delivery = await world.log.own('delivery', 0);
  const end = await world.log.end('channels', 0);
  await delivery.append([], { 'channels/0': end, 'listeners/0': listeners });
  await delivery.release();
  await world.start();
  await until('what it had not seen', () => world.delivered('sub_2') === 1);
  expect(world.sentTo('wh_1')).toEqual([2]);
  await world.end();
});

test('cursors written by an earlier version continue, and closed ones stay closed', async () => {
  const world = await worldWith(false);
  await world.start();
  await world.markAtEnd();
  await world.stop();
  await world.emit(upTo(4));
  const [first, second, third] = world.log.records('channels').map(({ offset }) => offset);
  const delivery = await world.log.own('delivery', 0);
  const key = 'sub_1/dc_a';
  const old = { subscriptionId: 'sub_1', emitterId: 'dc_a', next: third, sequence: 1, behindFrom: third };
  const open = [{ offset: second, attempts: 1, dueAt: Date.now() }];
  const records = [
    world.record('CursorMoved', key, { ...old, open }),
    world.record('CursorMoved', 'sub_1/dc_gone', { ...old, emitterId: 'dc_gone', open: [] }),
    world.record('CursorClosed', 'sub_1/dc_gone', { subscriptionId: 'sub_1' }),
  ];
  const end = await world.log.end('channels', 0);
  await delivery.append(
    records.map((record) => ({ topic: 'cursors', partition: 0, record }) as const),
    { ...delivery.mark.positions, [positionKey('channels', 0)]: end },
  );
  await delivery.release();
  await world.start();
  await until('the three that are left', () => world.delivered('sub_1') === 3);
  await until('the cursor', () => world.finished(key) === 4);
  expect(world.sentTo('wh_1').toSorted((a, b) => a - b)).toEqual([2, 3, 4]);
  expect(world.cursor(key)).toMatchObject({ type: 'CursorAdvanced', data: { counters: { published: 4 } } });
  expect(first).toBeLessThan(second ?? 0);
  await world.end();
});

test('no record remains of a deleted subscription', async () => {
  const world = new DeliveryWorld();
  await world.addKey();
  await world.addWebhook('wh_1', { ordered: false, retrySchedule: [3600] });
  await world.subscribe('sub_1', { listenerId: 'wh_1' });
  await world.start();
  world.webhook.script = () => ({ status: 500 });
  await world.emit(upTo(40));
  const keys = () => new Set(world.log.records('cursors').map((record) => record.key));
  await until('retries with records of their own', () => keys().size === 1 + 40 - 16);
  const all = keys();
  await world.unsubscribe('sub_1');
  await until('all of them to be taken away', () => [...all].every((key) => world.isRemoved(key)));
  expect(all.size).toBe(25);
  await world.end();
});

test('retries that have ended are not sent again after a restart, however many had waited', async () => {
  const world = new DeliveryWorld();
  await world.addKey();
  await world.addWebhook('wh_1', { ordered: false, retrySchedule: [1, 1] });
  await world.subscribe('sub_1', { listenerId: 'wh_1' });
  world.webhook.script = () => ({ status: 500 });
  await world.start();
  await world.emit(upTo(60));
  await until('all to fail', () => world.sentTo('wh_1').length === 60);
  world.webhook.script = () => ({ status: 200 });
  await until('all to be counted', () => world.finished('sub_1/dc_a') === 60);
  await world.stop();
  const sent = world.sentTo('wh_1').length;
  world.clockAheadMs += 3_600_000;
  await world.start();
  await world.emit([61]);
  await until('the next', () => world.finished('sub_1/dc_a') === 61);
  expect(world.sentTo('wh_1').slice(sent)).toEqual([61]);
  expect(world.fatal).toEqual([]);
  await world.end();
}, 40_000);
