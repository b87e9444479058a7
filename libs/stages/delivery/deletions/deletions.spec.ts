// Events deleted before delivery are not sent but counted, and do not block the events after them.
import { until } from '../../../../test/support/until.ts';
import type { CursorCounters } from '../../../domain/delivery/messages.ts';
import type { LogRecord } from '../../../domain/message.ts';
import { PortError } from '../../../domain/port-error.ts';
import { DeliveryWorld, upTo } from '../delivery.world.fake.ts';
import type { DeliveryLimits } from '../delivery-limits.ts';
import { DeletedEvents } from './deleted-events.ts';

let world: DeliveryWorld;
afterEach(async () => {
  expect(world.fatal).toEqual([]);
  await world.end();
});

async function worldWith(ordered: boolean, limits?: Partial<DeliveryLimits>): Promise<DeliveryWorld> {
  const newWorld = new DeliveryWorld(limits);
  await newWorld.addKey();
  await newWorld.addWebhook('wh_1', { ordered, retrySchedule: [1_000, 1_000] });
  await newWorld.subscribe('sub_1', { listenerId: 'wh_1' });
  return newWorld;
}

/** Ends the task at the first append that has such a record, and starts it again from the log. */
function killBehind(has: (record: LogRecord) => boolean): Promise<void> {
  const own = world.log.own.bind(world.log);
  const killed = Promise.withResolvers<void>();
  let isKilled = false;
  world.log.own = async (stage, partition) => {
    const writer = await own(stage, partition);
    const append = writer.append.bind(writer);
    writer.append = async (records, positions) => {
      const offsets = await append(records, positions);
      if (isKilled || !records.some(({ record }) => has(record))) return offsets;
      isKilled = true;
      killed.resolve();
      throw new PortError('unavailable', 'told to be');
    };
    return writer;
  };
  return killed.promise;
}

const counters = (): CursorCounters => world.cursor('sub_1/dc_a')?.data['counters'] as CursorCounters;
const numberOf = (body: string): number => (JSON.parse(body) as { n: number }).n;
const keptCount = (): number => {
  const newest = new Map(world.log.records('cursors').map((record) => [record.key, record]));
  return [...newest.values()].filter(({ type, data }) => type === 'DeletionKept' && data !== undefined).length;
};

test('a failed head and everything waiting behind it are deleted at once, and later events are sent', async () => {
  world = await worldWith(true);
  world.webhook.script = ({ body }) => ({ status: numberOf(body) <= 2_000 ? 500 : 200 });
  await world.start();
  await world.emit(upTo(2_000));
  await until('the first attempt', () => world.sentTo('wh_1').length === 1);
  await world.delete();
  await world.emit([2_001, 2_002]);
  await until('what is left', () => world.delivered('sub_1') === 2);
  expect(world.sentTo('wh_1')).toEqual([1, 2_001, 2_002]);
  await until('all to be counted', () => world.finished('sub_1/dc_a') === 2_002);
  expect(counters()).toEqual({
    published: 2_002,
    delivered: 2,
    parked: 0,
    filtered: 0,
    expired: { gone: 0, retention: 0, deleted: 2_000 },
  });
  await until('nothing to be kept any more', () => keptCount() === 0);
  expect(world.deliveries('sub_1').filter(({ type }) => type === 'DeliveryDiscarded')).toMatchObject([
    { data: { attempts: 1, by: 'deletion' } },
  ]);
});

test('a retry of a deleted event is not made when it is due, and its delivery is discarded', async () => {
  world = await worldWith(false, { waitingMax: 2 });
  world.webhook.script = () => ({ status: 500 });
  await world.start();
  await world.emit(upTo(3));
  await until('the first attempts', () => world.deliveries('sub_1').length === 3);
  await world.delete();
  await until('all to be counted', () => world.finished('sub_1/dc_a') === 3);
  expect(counters()).toMatchObject({ delivered: 0, parked: 0, expired: { deleted: 3 } });
  expect(world.sentTo('wh_1')).toHaveLength(3);
  const discarded = world.deliveries('sub_1').filter(({ type }) => type === 'DeliveryDiscarded');
  expect(discarded.map(({ data }) => (data as { attempts: number }).attempts)).toEqual([1, 1, 1]);
});

test('deletes only that range of that channel, and neither an event already in flight nor a later one', async () => {
  world = await worldWith(true);
  world.webhook.script = () => 'hangs';
  await world.start();
  const [, second, , fourth] = await world.emit([1, 2, 3, 4, 5]);
  await world.emit([6], { channel: 'other' });
  await until('the first attempt', () => world.sentTo('wh_1').length === 1);
  await world.delete({ startId: second ?? '', endId: fourth ?? '' });
  await world.delete({ channel: 'other' });
  await world.emit([7], { channel: 'other' });
  await world.markAtEnd();
  world.webhook.script = () => ({ status: 200 });
  world.webhook.calls[0]?.settle({ status: 200 });
  await until('the rest', () => world.sentTo('wh_1').length === 3);
  expect(world.sentTo('wh_1')).toEqual([1, 5, 7]);
  await until('all to be counted', () => world.finished('sub_1/dc_a') === 7);
  expect(counters()).toMatchObject({ published: 7, delivered: 3, expired: { deleted: 4 } });
});

test.each([true, false])(
  'a delete survives a restart, even for a cursor that was far behind (ordered: %s)',
  async (ordered) => {
    world = await worldWith(ordered);
    world.webhook.script = () => ({ status: 500 });
    await world.start();
    await world.emit(upTo(1_500));
    await until('the first attempts', () => world.sentTo('wh_1').length > 0);
    await world.disable('wh_1');
    await world.delete();
    await world.markAtEnd();
    await world.stop(0);
    const sent = world.sentTo('wh_1').length;
    await world.addWebhook('wh_1', { ordered, retrySchedule: [1_000, 1_000], generation: 1 });
    world.webhook.script = () => ({ status: 200 });
    await world.start();
    await world.emit([9_999]);
    await until('the one that is left', () => world.sentTo('wh_1').includes(9_999));
    expect(world.sentTo('wh_1').slice(sent)).toEqual([9_999]);
  },
);

test.each([false, true])(
  'each delete frees the events behind one that failed, one delete after another (each with a kill: %s)',
  async (isKilled) => {
    world = new DeliveryWorld();
    await world.addKey();
    await world.addWebhook('wh_1', { ordered: true, retrySchedule: [3_600] });
    await world.subscribe('sub_1', { listenerId: 'wh_1' });
    world.webhook.script = ({ body }) => ({ status: numberOf(body) === 3 ? 200 : 500 });
    await world.start();
    const ids = await world.emit([1, 2, 3]);
    for (const id of ids.slice(0, 2)) {
      const number = ids.indexOf(id) + 1;
      const open = () => world.cursor('sub_1/dc_a')?.data['open'] as readonly { attempts: number }[] | undefined;
      await until('its attempt', () => world.sentTo('wh_1').length === number);
      await until('its outcome on the log', () => open()?.[0]?.attempts === 1);
      const killed = isKilled
        ? killBehind(({ type, data }) => type === 'DeletionKept' && data !== undefined)
        : undefined;
      if (isKilled) await world.stop().then(() => world.start());
      await world.delete({ startId: id, endId: id });
      await killed;
    }
    await until('the last', () => world.delivered('sub_1') === 1);
    expect(world.sentTo('wh_1')).toEqual([1, 2, 3]);
    expect(counters()).toMatchObject({ published: 3, delivered: 1, expired: { deleted: 2 } });
  },
  30_000,
);

test('deletes that need more than one append are forgotten only after the cursor that has passed them', async () => {
  world = await worldWith(true, { idleFlushMs: 3_000, flushMs: 3_000 });
  world.webhook.script = () => 'hangs';
  const killed = killBehind(({ type, data }) => type === 'DeletionKept' && data === undefined);
  await world.start();
  const [, startId = '', endId = ''] = await world.emit([1, 2, 3]);
  await until('the first attempt', () => world.sentTo('wh_1').length === 1);
  await world.delete({ startId, endId }, ...upTo(12_000).map(() => ({ channel: 'other' })));
  await world.markAtEnd();
  expect(keptCount()).toBe(12_001);
  world.webhook.script = () => ({ status: 200 });
  world.webhook.calls[0]?.settle({ status: 200 });
  await killed;
  await world.emit([4]);
  await until('the next', () => world.sentTo('wh_1').includes(4));
  expect(world.sentTo('wh_1').filter((n) => n > 1)).toEqual([4]);
}, 30_000);

test('a subscription that is read late gets no events deleted in the meantime', async () => {
  world = new DeliveryWorld();
  await world.addKey();
  await world.addWebhook('wh_1');
  await world.start();
  await world.emit([1, 2]);
  await world.delete();
  await world.emit([3]);
  await world.markAtEnd();
  await world.subscribe('sub_1', { listenerId: 'wh_1', channelEnd: 0 });
  await until('what is left', () => world.sentTo('wh_1').length > 0);
  expect(world.sentTo('wh_1')).toEqual([3]);
});

test('a cursor that has passed every delete keeps none', async () => {
  world = await worldWith(true);
  await world.start();
  await world.emit([1, 2, 3]);
  await until('the deliveries', () => world.finished('sub_1/dc_a') === 3);
  await world.delete();
  await world.emit([4]);
  await until('the next', () => world.sentTo('wh_1').length === 4);
  expect(world.log.records('cursors').filter(({ type }) => type === 'DeletionKept')).toEqual([]);
  expect(counters().expired.deleted).toBeUndefined();
});

test('keeps ten thousand deletes of every second event until the cursor has passed them', () => {
  world = new DeliveryWorld();
  const deleted = new DeletedEvents();
  const id = (n: number): string => `${1_000 + n}-${n}`;
  const of = { emitterId: 'dc_a', workspace: 'o_1', channel: null };
  for (let n = 0; n < 20_000; n += 2) deleted.add({ ...of, startId: id(n), endId: id(n), offset: n + 100_000 });
  const has = (n: number): boolean => deleted.has({ emitterId: 'dc_a', eventId: id(n), channel: '' });
  expect(upTo(20_000).filter(has)).toHaveLength(9_999);
  expect(deleted.has({ emitterId: 'dc_a', eventId: id(2), channel: '$errors' })).toBe(false);
  for (let n = 0; n < 20_000; n += 10) deleted.removePassed('dc_a', n + 100_000);
  deleted.removePassed('dc_a', 200_000);
  expect(deleted.isEmpty).toBe(true);
});
