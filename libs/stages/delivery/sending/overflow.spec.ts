// When too many retries of a subscription wait, the oldest are read again to be parked; meanwhile things can change.
import { until } from '../../../../test/support/until.ts';
import type { CursorCounters } from '../../../domain/delivery/messages.ts';
import { DeliveryWorld, upTo } from '../delivery.world.fake.ts';

let world: DeliveryWorld;
let release: () => void;
const waitingMax = 3;
/** A cursor's record holds 16 open deliveries; the others are set aside. */
const count = 16 + waitingMax + 2;

/** Lets events fail, two more than may wait, and resolves when the oldest two are being read to be parked. */
beforeEach(async () => {
  world = new DeliveryWorld({ waitingMax });
  await world.addKey();
  await world.addWebhook('wh_1', { ordered: false, retrySchedule: [2] });
  await world.subscribe('sub_1', { listenerId: 'wh_1' });
  world.webhook.script = () => ({ status: 500 });
  const held = Promise.withResolvers<void>();
  release = held.resolve;
  const read = world.log.read.bind(world.log);
  let reads = 0;
  world.log.read = async (topic, partition, from, bounds) => {
    const isReread = topic === 'channels' && bounds.to === from + 1;
    if (isReread && ++reads <= 2) await held.promise;
    return read(topic, partition, from, bounds);
  };
  await world.start();
  await world.emit(upTo(count));
  await until('the oldest to be read', () => reads === 2);
});
afterEach(async () => {
  expect(world.fatal).toEqual([]);
  await world.end();
});

const parked = () => world.deliveries('sub_1').filter(({ type }) => type === 'DeliveryParked');
const counters = () => world.cursor('sub_1/dc_a')?.data['counters'] as CursorCounters | undefined;

test('while their webhook is paused none is parked, and each ends when it is active again', async () => {
  await world.changeWebhook('wh_1', { disabled: true, pausedAt: 1, generation: 1 });
  release();
  await world.emit([count + 1]);
  await world.markAtEnd();
  expect(parked()).toEqual([]);
  world.webhook.script = () => ({ status: 200 });
  await world.changeWebhook('wh_1', { disabled: false, generation: 2 });
  await until('all to end', () => world.finished('sub_1/dc_a') === count + 1);
  expect(world.delivered('sub_1') + parked().length).toBe(count + 1);
});

test('events that retention removes meanwhile are not parked but counted as expired', async () => {
  await world.log.trim('channels', 0, await world.log.end('channels', 0));
  release();
  await until('both to end', () => world.finished('sub_1/dc_a') === 2);
  expect(counters()).toMatchObject({ delivered: 0, parked: 0, expired: { gone: 2 } });
  expect(parked()).toEqual([]);
});

test('a stage that stops meanwhile parks nothing, and the next one parks as many', async () => {
  await world.stop(0);
  release();
  await new Promise(setImmediate);
  expect(parked()).toEqual([]);
  await world.start();
  await until('two to be parked', () => counters()?.parked === 2);
  expect(parked().map(({ data }) => data['reason'])).toEqual(['too_many_waiting', 'too_many_waiting']);
});
