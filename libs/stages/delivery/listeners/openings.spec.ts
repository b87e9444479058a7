// Subscriptions that start in the past lose no event and keep the order, whatever arrives during the search.
import { until } from '../../../../test/support/until.ts';
import { DeliveryWorld, upTo } from '../delivery.world.fake.ts';

let world: DeliveryWorld;
beforeEach(async () => {
  world = new DeliveryWorld();
  await world.addKey();
  await world.addWebhook('wh_1');
  await world.start();
});
afterEach(() => world.end());

test('events emitted while older ones are looked up come after them', async () => {
  await world.emit(upTo(2_000));
  await world.markAtEnd();
  await world.subscribe('sub_1', { listenerId: 'wh_1', channelEnd: 0 });
  for (let n = 2_001; n <= 2_020; n++) await world.emit([n]);
  await until('all of them', () => world.finished('sub_1/dc_a') === 2_020);
  expect(world.sentTo('wh_1')).toEqual(upTo(2_020));
});

test('events deleted further on are not sent', async () => {
  const ids = await world.emit(upTo(5));
  await world.emit([6], { emitterId: 'dc_b' });
  await world.delete({ startId: ids[1] ?? null, endId: ids[2] ?? null });
  await world.markAtEnd();
  await world.subscribe('sub_1', { listenerId: 'wh_1', emitterId: 'dc_*', channelEnd: 0 });
  await until('what is left', () => world.finished('sub_1/dc_a') === 5 && world.finished('sub_1/dc_b') === 1);
  expect(world.sentTo('wh_1', 'dc_a')).toEqual([1, 4, 5]);
});

test('a kill while older events are looked up loses none, and the mark passes the subscription in the end', async () => {
  await world.emit(upTo(3_000));
  await world.markAtEnd();
  await world.subscribe('sub_1', { listenerId: 'wh_1', channelEnd: 0 });
  for (let kills = 0; kills < 3; kills++) {
    await world.emit([3_001 + kills]);
    await world.stop(0);
    await world.start();
  }
  await until('all of them', () => world.finished('sub_1/dc_a') === 3_003);
  expect([...new Set(world.sentTo('wh_1'))]).toEqual(upTo(3_003));
  await until('the mark to pass it', async () => {
    const end = await world.log.end('subscriptions', 0);
    return (world.positions['subscriptions/0'] ?? 0) >= end - 1;
  });
});
