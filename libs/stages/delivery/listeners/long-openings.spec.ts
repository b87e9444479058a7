// A long search for first events delays no other work, and continues after a restart.
import { until } from '../../../../test/support/until.ts';
import { DeliveryWorld, upTo } from '../delivery.world.fake.ts';

/** The page size of searches: reads of other kinds have another one, or no end. */
const pageBytes = 128 * 1024;

let world: DeliveryWorld;
/** The offsets that searches have read, in order; they wait at `stopsAt` and beyond. */
let searched: number[];
let stopsAt: number;
let letGo: () => void;

beforeEach(async () => {
  world = new DeliveryWorld();
  await world.addKey();
  for (const webhookId of ['wh_1', 'wh_2']) await world.addWebhook(webhookId);
  searched = [];
  stopsAt = 0;
  const { promise, resolve } = Promise.withResolvers<void>();
  letGo = resolve;
  const read = world.log.read.bind(world.log);
  world.log.read = async (topic, partition, from, bounds) => {
    const searches = topic === 'channels' && bounds.bytesMax === pageBytes && Number.isFinite(bounds.to);
    if (searches) searched.push(from);
    if (searches && from >= stopsAt) await promise;
    return read(topic, partition, from, bounds);
  };
  await world.start();
});
afterEach(async () => {
  letGo();
  expect(world.fatal).toEqual([]);
  await world.end();
});

const markPasses = async (): Promise<void> => {
  const end = await world.log.end('subscriptions', 0);
  await until('the mark to pass the subscriptions', () => (world.positions['subscriptions/0'] ?? 0) >= end);
};

async function restart(): Promise<void> {
  await world.stop(0);
  await world.start();
}

const toEverySource = { listenerId: 'wh_1', emitterId: 'dc_*', channelEnd: 0 };
const isKept = (subscriptionId: string): boolean => !world.isRemoved(`${subscriptionId}/opening/next`);

test('a restart silences no subscription that was opened behind it', async () => {
  await world.emit(upTo(10));
  await world.markAtEnd();
  await world.subscribe('sub_long', toEverySource);
  await world.subscribe('sub_2', { listenerId: 'wh_2' });
  await world.emit([11]);
  await until('its first event', () => world.delivered('sub_2') === 1);
  await markPasses();
  await restart();
  await world.emit([12]);
  await until('its next event', () => world.delivered('sub_2') === 2);
  expect(world.sentTo('wh_1')).toEqual([]);
  letGo();
  await until('what was looked for', () => world.finished('sub_long/dc_a') === 12);
  expect(world.sentTo('wh_1')).toEqual(upTo(12));
});

const events = 40_000;

test('after a kill it goes on where it was, and loses no event and no deletion', async () => {
  const ids: string[] = [];
  for (let n = 0; n < events; n += 10_000) ids.push(...(await world.emit(upTo(10_000))));
  await world.emit([1], { emitterId: 'dc_b' });
  await world.delete({ startId: ids[2] ?? null, endId: ids.at(-1) ?? null });
  await world.markAtEnd();
  stopsAt = events - 2_000;
  await world.subscribe('sub_long', toEverySource);
  await markPasses();
  await until('how far it is', () => world.cursor('sub_long/opening/next')?.data['next'] !== 0);
  searched = [];
  await world.emit([2], { emitterId: 'dc_c' });
  await world.markAtEnd();
  await restart();
  await until('it to go on', () => searched.length > 0);
  expect(Math.min(...searched)).toBeGreaterThan(30_000);
  letGo();
  await until('all that is left', () => world.finished('sub_long/dc_a') === events);
  await until('the other sources', () => world.sentTo('wh_1').length === 4);
  expect(world.sentTo('wh_1', 'dc_a')).toEqual([1, 2]);
  expect([...world.sentTo('wh_1', 'dc_b'), ...world.sentTo('wh_1', 'dc_c')]).toEqual([1, 2]);
  await until('its record to be taken away', () => !isKept('sub_long'));
  searched = [];
  await restart();
  await world.emit([3]);
  await until('the next event', () => world.finished('sub_long/dc_a') === events + 1);
  expect(searched).toEqual([]);
}, 60_000);

test('a subscription that ends meanwhile leaves nothing, and may also end while nobody looks', async () => {
  await world.emit(upTo(10));
  await world.markAtEnd();
  for (const id of ['sub_1', 'sub_2']) await world.subscribe(id, toEverySource);
  await until('both to be on record', () => isKept('sub_1') && isKept('sub_2'));
  await world.unsubscribe('sub_1');
  await until('nothing to be left of it', () => !isKept('sub_1'));
  await world.stop(0);
  await world.unsubscribe('sub_2');
  await world.start();
  await until('nothing to be left of the other', () => !isKept('sub_2'));
  letGo();
  await markPasses();
  expect([isKept('sub_1'), isKept('sub_2')]).toEqual([false, false]);
});

test('a search that ends at once leaves no record', async () => {
  letGo();
  await world.emit(upTo(10));
  await world.markAtEnd();
  await world.subscribe('sub_1', toEverySource);
  await until('all', () => world.finished('sub_1/dc_a') === 10);
  await markPasses();
  expect(world.log.records('cursors').filter(({ key }) => key.includes('/opening/'))).toEqual([]);
});

test('thousands of long searches cost records and reads in proportion, before a kill and after it', async () => {
  const cost = async (from: number, count: number): Promise<readonly number[]> => {
    const before = world.log.records('cursors').length;
    for (let n = from; n < from + count; n++) await world.subscribe(`sub_${n}`, toEverySource);
    await markPasses();
    searched = [];
    await restart();
    await until('the search to begin', () => searched.length > 0);
    return [world.log.records('cursors').length - before, searched.length];
  };
  await world.emit(upTo(10));
  await world.markAtEnd();
  const few = await cost(0, 500);
  const many = await cost(500, 2_000);
  expect(few[0]).toBe(500);
  expect(many[0]).toBe(2_000);
  expect(many[1]).toBeLessThanOrEqual(4);
}, 60_000);

test('what is deleted costs thousands of searches no more than its reading', async () => {
  const count = 1_500;
  const sources = Array.from({ length: 10 }, (_, n) => `dc_${n}`);
  for (const emitterId of sources) {
    const [first = null] = await world.emit([1], { emitterId });
    for (let n = 0; n < 100; n++) {
      await world.delete({ emitterId, startId: first, endId: first });
      await world.delete({ emitterId: `${emitterId}x`, endId: first });
    }
  }
  await world.markAtEnd();
  for (let n = 0; n < count; n++) await world.subscribe(`sub_${n}`, toEverySource);
  letGo();
  const found = (): number =>
    new Set(world.log.records('cursors').flatMap(({ key }) => /^sub_\d+\/dc_\d$/.exec(key) ?? [])).size;
  await until('all cursors', () => found() === count * sources.length, 30_000);
  await markPasses();
  expect(found()).toBe(count * sources.length);
}, 60_000);
