import { until } from '../../../../test/support/until.ts';
import type { FilterVersion } from '../../../domain/delivery/filter/filter-history.ts';
import type { CursorCounters, CursorEvent } from '../../../domain/delivery/messages.ts';
import { DeliveryWorld, upTo } from '../delivery.world.fake.ts';

let world: DeliveryWorld;
beforeEach(async () => {
  world = new DeliveryWorld();
  await world.addKey();
  await world.addWebhook('wh_1', { retrySchedule: [3_600] });
});
afterEach(async () => {
  expect(world.fatal).toEqual([]);
  await world.end();
});

const below = (n: number): FilterVersion['filter'] => ({ n: [{ numeric: ['<', n] }] });
const from = (offset: number, filter: FilterVersion['filter']): FilterVersion => ({ channelEnds: [offset], filter });
const first = (filter: FilterVersion['filter']): FilterVersion => ({ channelEnds: [], filter });

const define = (filters: readonly FilterVersion[], id = 'sub_1'): Promise<void> =>
  world.append(
    'subscriptions',
    world.record('FilterDefined', `${id}/filter`, { subscriptionId: id, partition: 0, filters }),
  );

async function subscribed(filters: readonly FilterVersion[], id = 'sub_1'): Promise<void> {
  await define(filters, id);
  await world.subscribe(id, { listenerId: 'wh_1', channelEnd: 0 });
}

const counters = (id = 'sub_1'): CursorCounters | undefined =>
  world.cursor(`${id}/dc_a`)?.data['counters'] as CursorCounters | undefined;
/** How many events `deliveries` reports as filtered in total. */
const filteredCount = (): number =>
  world.log
    .records('deliveries')
    .reduce((sum, { type, data }) => sum + (type === 'EventsFiltered' ? (data as { count: number }).count : 0), 0);
const records = (): CursorEvent[] =>
  world.log.records('cursors').filter(({ type }) => type === 'CursorAdvanced') as CursorEvent[];

test('only events that match the filter are sent, and the others are numbered and counted, many in one record', async () => {
  await subscribed([first({ n: [{ numeric: ['>', 9_990] }] })]);
  await world.start();
  for (let n = 0; n < 10; n++) await world.emit(upTo(1_000).map((one) => n * 1_000 + one));
  await until('all to be counted', () => counters()?.published === 10_000 && counters()?.delivered === 10, 30_000);
  expect(world.sentTo('wh_1')).toEqual(Array.from({ length: 10 }, (_, n) => 9_991 + n));
  expect(counters()).toMatchObject({ published: 10_000, delivered: 10, filtered: 9_990 });
  expect(records().length).toBeLessThan(1_000);
  expect(filteredCount()).toBe(9_990);
  expect(world.log.records('deliveries').length).toBeLessThan(1_000);
});

test('filtered events get their numbers in order, after those waiting to start', async () => {
  await subscribed([first({ n: [1, 4, 6] })]);
  world.webhook.script = () => 'hangs';
  await world.start();
  await world.emit(upTo(6));
  await until('the first call', () => world.webhook.calls.length === 1);
  await until('the two behind it to be counted', () => counters()?.filtered === 2);
  expect(counters()).toMatchObject({ published: 3, delivered: 0 });
  world.webhook.calls[0]?.settle({ status: 200 });
  await until('the second call', () => world.webhook.calls.length === 2);
  await until('the one behind that to be counted', () => counters()?.filtered === 3);
  expect(counters()).toMatchObject({ published: 5, delivered: 1 });
  expect(world.cursor('sub_1/dc_a')?.data).toMatchObject({ open: [{ sequence: 4 }] });
  world.webhook.script = () => ({ status: 200 });
  world.webhook.calls[1]?.settle({ status: 200 });
  await until('the rest', () => counters()?.delivered === 3);
  expect(counters()).toMatchObject({ published: 6, filtered: 3 });
});

test('a subscription that fell behind filters what it reads, even after a restart, and counts nothing twice', async () => {
  await subscribed([first(below(50))]);
  world.webhook.script = ({ body }) => (body.includes('"n":3,') ? 'hangs' : { status: 200 });
  await world.start();
  await world.emit(upTo(100));
  await until('the third call', () => world.webhook.calls.length === 3);
  await world.stop(0);
  world.webhook.script = () => ({ status: 200 });
  await world.emit(upTo(100));
  await world.start();
  await until('all to be counted', () => counters()?.published === 200);
  expect(counters()).toMatchObject({ delivered: 98, filtered: 102 });
  await world.stop();
  await world.start();
  await world.emit([1, 99]);
  await until('two more', () => counters()?.published === 202);
  expect(counters()).toMatchObject({ delivered: 99, filtered: 103 });
  expect(filteredCount()).toBe(103);
});

/** Resolves once delivery has read all definitions. */
async function definitionsRead(): Promise<void> {
  const end = await world.log.end('subscriptions', 0);
  await until('the definitions to be read', () => (world.positions['subscriptions/0'] ?? 0) >= end);
}

test('a new filter of an earlier program applies to events from its position on, and the earlier one to those before it', async () => {
  await subscribed([first(below(4))]);
  world.webhook.script = () => ({ status: 500 });
  await world.start();
  await world.emit(upTo(5));
  await until('the failure', () => world.webhook.calls.length === 1);
  const end = await world.log.end('channels', 0);
  await define([first(below(4)), from(end, below(2))]);
  await definitionsRead();
  await world.emit(upTo(5));
  await world.markAtEnd();
  await world.stop(0);
  world.webhook.script = () => ({ status: 200 });
  world.clockAheadMs = 3 * 3_600_000;
  await world.start();
  await until('all to be counted', () => counters()?.published === 10);
  expect(world.sentTo('wh_1').slice(1)).toEqual([1, 2, 3, 1]);
  await define([first(below(4)), from(end, below(2)), from(await world.log.end('channels', 0), null)]);
  await definitionsRead();
  await world.emit([7]);
  await until('an event that no filter keeps back', () => world.sentTo('wh_1').at(-1) === 7);
});

test('a filter belongs to one subscription, and is removed with it', async () => {
  await subscribed([first(below(0))]);
  await world.subscribe('sub_2', { listenerId: 'wh_1', channelEnd: 0 });
  await world.start();
  await world.emit(upTo(3));
  await until('the events of the other one', () => world.delivered('sub_2') === 3);
  await until('its own to be counted', () => counters()?.filtered === 3);
  await world.unsubscribe('sub_1');
  await world.append('subscriptions', world.record('SubscriptionDefined', 'sub_1/filter', undefined));
  await until('the cursor to be gone', () => world.isRemoved('sub_1/dc_a'));
  await world.subscribe('sub_1', { listenerId: 'wh_1' });
  await world.emit([8]);
  await until('an event that no filter keeps back', () => world.delivered('sub_1') === 1);
  const attempts = world.deliveries('sub_1').filter(({ type }) => type !== 'EventsFiltered');
  expect(attempts).toMatchObject([{ data: { outcome: 'delivered' } }]);
});

test('a listening source runs only for events that match its filter', async () => {
  await define([first({ n: [2] })], 'sub_s');
  await world.subscribe('sub_s', { listenerId: 'dc_l', channelEnd: 0 });
  await world.start();
  await world.emit(upTo(3));
  await until('all to be counted', () => counters('sub_s')?.published === 3);
  expect(world.log.records('triggers').map(({ data }) => data)).toMatchObject([{ event: { n: 2 } }]);
  expect(counters('sub_s')).toMatchObject({ delivered: 1, filtered: 2 });
});
