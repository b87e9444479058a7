// Each event for a listening source becomes exactly one trigger, even across kills, and a slow source delays no other.
import type { Trigger } from '../../../domain/source/messages.ts';
import { everyGateway } from '../../../log/index.ts';
import { until } from '../../../../test/support/until.ts';
import { DeliveryWorld, upTo } from '../delivery.world.fake.ts';
import type { DeliveryLimits } from '../delivery-limits.ts';

let world: DeliveryWorld;

const begin = async (limits: Partial<DeliveryLimits> = {}): Promise<void> => {
  world = new DeliveryWorld(limits);
  await world.addKey();
  await world.start();
};
afterEach(async () => {
  await world.end();
  expect(world.fatal).toEqual([]);
});

const triggersFor = (sourceId: string): readonly Trigger[] =>
  world.log.records('triggers').filter(({ key }) => key === sourceId) as readonly Trigger[];
const numbersFor = (sourceId: string): unknown[] =>
  triggersFor(sourceId).map(({ data }) => (data.event as { readonly n: number }).n);

test('an event becomes the argument of a run, with its hops counted, and shows as delivered', async () => {
  await begin();
  await world.subscribe('sub_1', { listenerId: 'dc_b' });
  await world.emit([1]);
  await world.emit([2], { hops: 3 });
  await until('both triggers', () => triggersFor('dc_b').length === 2);
  expect(triggersFor('dc_b')).toMatchObject([
    { version: 2, data: { sourceId: 'dc_b', kind: 'event', revision: 0, event: { n: 1 }, hops: 1 } },
    { data: { event: { n: 2 }, hops: 4 } },
  ]);
  expect(world.deliveries('sub_1')).toMatchObject([
    { type: 'DeliveryAttempted', data: { webhookId: 'dc_b', outcome: 'delivered', attempt: 1, status: null } },
    { type: 'DeliveryAttempted', data: { outcome: 'delivered' } },
  ]);
  expect(world.finished('sub_1/dc_a')).toBe(2);
});

test('the trigger of an event of $logs names the channel, the trigger of any other does not', async () => {
  await begin();
  await world.subscribe('sub_1', { listenerId: 'dc_b', eventName: '$logs' });
  await world.subscribe('sub_2', { listenerId: 'dc_b', eventName: 'other' });
  await world.emit([1], { channel: '$logs' });
  await until('the first trigger', () => triggersFor('dc_b').length === 1);
  await world.emit([2], { channel: 'other' });
  await until('both triggers', () => triggersFor('dc_b').length === 2);
  expect(triggersFor('dc_b').map(({ data }) => data.channel)).toEqual(['$logs', undefined]);
});

test('each event is requested once, in order, even when killed and restarted repeatedly', async () => {
  await begin();
  await world.subscribe('sub_1', { listenerId: 'dc_b' });
  await world.subscribe('sub_2', { listenerId: 'dc_a', eventName: 'self' });
  const count = 600;
  for (let n = 1; n <= count; n += 100) {
    await world.emit(Array.from({ length: 100 }, (_, i) => n + i));
    await world.emit([n], { channel: 'self' });
    const before = triggersFor('dc_b').length;
    await until('some progress', () => triggersFor('dc_b').length > before || before >= count);
    await world.stop(0);
    await world.start();
  }
  await until('all triggers', () => triggersFor('dc_b').length >= count + 6 && triggersFor('dc_a').length >= 6);
  await world.markAtEnd();
  const all = upTo(count).flatMap((n) => (n % 100 === 0 ? [n, n - 99] : [n]));
  expect(numbersFor('dc_b')).toEqual(all);
  expect(numbersFor('dc_a')).toEqual([1, 101, 201, 301, 401, 501]);
});

test('beyond the hop limit a subscription passes one event at a time and loses none', async () => {
  const hopMs = 150;
  await begin({ hopsFree: 4, hopsMax: 4, hopMs });
  await world.subscribe('sub_1', { listenerId: 'dc_b' });
  await world.subscribe('sub_2', { listenerId: 'dc_c', emitterId: 'dc_other' });
  const startedAt = performance.now();
  await world.emit([1, 2, 3, 4], { hops: 4 });
  await world.emit(upTo(20), { emitterId: 'dc_other', hops: 3 });
  await until('the others', () => triggersFor('dc_c').length === 20);
  expect(triggersFor('dc_b').length).toBeLessThan(4);
  await until('all of the slow ones', () => triggersFor('dc_b').length === 4);
  expect(performance.now() - startedAt).toBeGreaterThan(3 * hopMs - 10);
  expect(numbersFor('dc_b')).toEqual([1, 2, 3, 4]);
});

test('a source with a full queue waits until there is room, and others continue', async () => {
  await begin({ fullSourceMs: 10 });
  await world.subscribe('sub_1', { listenerId: 'dc_full' });
  await world.subscribe('sub_2', { listenerId: 'dc_b' });
  await world.emit([1]);
  await until('the first', () => triggersFor('dc_full').length === 1);
  world.log.reply(everyGateway, { type: 'SourceFull', sourceId: 'dc_full' });
  await world.emit(upTo(500));
  await until('the others', () => triggersFor('dc_b').length === 501);
  expect(triggersFor('dc_full')).toHaveLength(1);
  world.log.reply(everyGateway, { type: 'SourceFree', sourceId: 'dc_full' });
  await until('all', () => triggersFor('dc_full').length === 501);
  expect(numbersFor('dc_full')).toEqual([1, ...upTo(500)]);
});

test('nothing is requested once the subscription is gone', async () => {
  await begin();
  await world.subscribe('sub_1', { listenerId: 'dc_b' });
  await world.emit([1]);
  await until('the first', () => triggersFor('dc_b').length === 1);
  await world.unsubscribe('sub_1');
  await until('the cursor to be taken away', () => world.isRemoved('sub_1/dc_a'));
  await world.emit([2]);
  await world.markAtEnd();
  expect(numbersFor('dc_b')).toEqual([1]);
});

test('each hop after the free ones is slower than the one before, up to a maximum', async () => {
  await begin({ hopsFree: 2, hopsMax: 8, hopMs: 400 });
  for (const [id, hops] of [
    ['dc_free', 1],
    ['dc_slower', 4],
    ['dc_slow', 20],
  ] as const) {
    await world.subscribe(`sub_${id}`, { listenerId: id, emitterId: `of_${id}` });
    await world.emit(upTo(3), { emitterId: `of_${id}`, hops });
  }
  const order: string[] = [];
  await until('all of them', () => {
    for (const id of ['dc_free', 'dc_slower', 'dc_slow'])
      if (!order.includes(id) && triggersFor(id).length === 3) order.push(id);
    return order.length === 3;
  });
  expect(order).toEqual(['dc_free', 'dc_slower', 'dc_slow']);
});
