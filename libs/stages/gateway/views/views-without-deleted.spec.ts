// Lists, counts and single events, as if all deleted events were already removed.
import fc from 'fast-check';
import { partitionOf } from '../../../domain/flow.ts';
import { eventKey, eventOrder, viewDefinitions } from '../../../domain/views/index.ts';
import type { DeletionView, EventView } from '../../../domain/views/index.ts';
import { orderRange } from '../../../domain/deletion/order-range.ts';
import { positionKey } from '../../../log/log.ts';
import { rangeCountMax } from '../../../view-store/catalog.ts';
import type { ViewBuild, ViewQuery } from '../../../view-store/view-store.ts';
import { MemoryViewStore } from '../../../view-store/view-store.fake.ts';
import { ViewsWithoutDeleted } from './views-without-deleted.ts';

const partitions = 4;
const source = 'dc_1';
const position = positionKey('channels', partitionOf(source, partitions));

const event = (seq: number, channel = ''): EventView => ({
  workspace: 'o_1',
  emitterId: source,
  eventId: `1000-${seq}`,
  order: eventOrder(`1000-${seq}`),
  channel,
  listedUnder: channel.startsWith('$') ? `${source}/$` : source,
  runId: 'run_1',
  emittedAt: 1,
  emit: {},
  event: seq,
});

interface Deletion {
  readonly channel: string | null;
  readonly startId: string | null;
  readonly endId: string | null;
}

async function world(events: readonly EventView[], deletions: readonly Deletion[]) {
  const live = new MemoryViewStore(viewDefinitions).live();
  await live.put(
    events.map((value, at) => ({ view: 'events', id: eventKey(source, value.eventId), version: at, value })),
  );
  const facts = deletions.map(({ channel, ...range }, at): DeletionView => {
    const place = events.length + at;
    return { workspace: 'o_1', emitterId: source, channel, ...orderRange(range), place, deletedAt: 1 };
  });
  await live.put(
    facts.map((value) => ({ view: 'deletions', id: `${source}/${value.place}`, version: value.place, value })),
  );
  return { live, facts, shown: new ViewsWithoutDeleted(live, partitions) };
}

const idsIn = async (build: ViewBuild, query: Omit<ViewQuery, 'limit'> & { readonly limit?: number }) =>
  (await build.find('events', { limit: 10, ...query })).map(({ value }) => (value as EventView).eventId);
const all = { index: 'byEmitter', equals: [source], order: 'descending' } as const;

const channels = fc.constantFrom('', 'push', '$errors');
const ends = fc.option(fc.nat(60), { nil: null }).map((seq) => (seq === null ? null : `1000-${seq}`));
const deleted = fc.record({ channel: fc.option(channels, { nil: null }), startId: ends, endId: ends });
const queries = fc.record({
  list: fc.constantFrom(
    { index: 'byEmitter', equals: [source] },
    ...['', 'push', '$errors'].map((channel) => ({ index: 'byChannel', equals: [source, channel] })),
  ),
  order: fc.constantFrom('ascending' as const, 'descending' as const),
  limit: fc.integer({ min: 1, max: 12 }),
  after: fc.option(fc.nat(60), { nil: undefined }),
});

test('every page and count is as if the deleted events were removed', async () => {
  const law = async (
    of: readonly string[],
    deletions: readonly Deletion[],
    query: typeof queries extends fc.Arbitrary<infer Q> ? Q : never,
  ) => {
    const events = of.map((channel, seq) => event(seq, channel));
    const { live, shown: views, facts } = await world(events, deletions);
    const { list, after, ...paging } = query;
    const place =
      after === undefined
        ? {}
        : { after: { sort: eventOrder(`1000-${after}`), id: eventKey(source, `1000-${after}`) } };
    const pagedQuery = { ...list, ...paging, ...place };
    const [found, counted] = [await idsIn(views, pagedQuery), await views.count('events', list)];
    const places = await views.findKeys('events', pagedQuery);
    const single = await views.get('events', eventKey(source, '1000-3'));
    for (const { channel, from, to, place: belowVersion } of facts) {
      const range =
        channel === null ? { index: 'byEmitter', equals: [source] } : { index: 'byChannel', equals: [source, channel] };
      await live.removeRange('events', { ...range, from, to, belowVersion, leaves: 'nothing' });
    }
    expect(found).toEqual(await idsIn(live, pagedQuery));
    expect(places).toEqual(await live.findKeys('events', pagedQuery));
    expect(single).toEqual(await live.get('events', eventKey(source, '1000-3')));
    expect(counted).toBe(await live.count('events', list));
  };
  await fc.assert(
    fc.asyncProperty(
      fc.array(channels, { maxLength: 50, size: 'max' }),
      fc.array(deleted, { maxLength: 4 }),
      queries,
      law,
    ),
    { numRuns: 300 },
  );
});

test('shows the views unchanged once they have passed a deletion', async () => {
  const { live, shown: views } = await world([event(0), event(1)], [{ channel: null, startId: null, endId: '1000-1' }]);
  expect(await idsIn(views, all)).toEqual([]);
  await live.saveCheckpoint({ [position]: 3 });
  expect(await idsIn(views, all)).toEqual(['1000-1', '1000-0']);
});

test('reads only the deletions that the views have not passed', async () => {
  const deletions = Array.from({ length: 700 }, (_, at) => ({ channel: null, startId: null, endId: `1000-${at}` }));
  const { live, shown: views, facts } = await world([event(0), event(698), event(699), event(700)], deletions);
  const passed = facts[698]?.place ?? 0;
  await live.saveCheckpoint({ [position]: passed });
  const read: (readonly number[])[] = [];
  const find = live.find.bind(live);
  live.find = async (name, query) => {
    const found = await find(name, query);
    if (name === 'deletions') read.push(found.map(({ version }) => version));
    return found;
  };
  expect(await idsIn(views, all)).toEqual(['1000-700']);
  expect(read).toEqual([[passed, passed + 1]]);
});

test('ignores deletions when the count of a range has reached its limit', async () => {
  const events = Array.from({ length: rangeCountMax + 30 }, (_, seq) => event(seq));
  const { live, shown: views } = await world(events, [{ channel: null, startId: null, endId: '1000-9' }]);
  const list = { index: 'byEmitter', equals: [source] };
  expect(await views.count('events', list)).toBe(events.length);
  await live.removeRange('events', { ...list, belowVersion: rangeCountMax, leaves: 'nothing' });
  expect(await views.count('events', list)).toBe(30);
});

test('a count costs a bounded number of reads, however many channels and ranges are being deleted', async () => {
  const deletions = Array.from({ length: 200 }, (_, at) => {
    const id = `1000-${2 * at}`;
    return at % 2 === 0
      ? { channel: null, startId: id, endId: id }
      : { channel: `channel ${at}`, startId: null, endId: null };
  });
  const { live, shown: views } = await world([event(1), event(3)], deletions);
  let counts = 0;
  const count = live.count.bind(live);
  live.count = (...of) => {
    counts++;
    return count(...of);
  };
  expect(await views.count('events', { index: 'byEmitter', equals: [source] })).toBe(2);
  expect(counts).toBeLessThan(1_000);
});

test('counts the parts of a list between deletions one after the other', async () => {
  const deletions = Array.from({ length: 20 }, (_, at) => {
    const id = `1000-${2 * at}`;
    return { channel: null, startId: id, endId: id };
  });
  const { live, shown: views } = await world(
    Array.from({ length: 40 }, (_, seq) => event(seq)),
    deletions,
  );
  let [under, most] = [0, 0];
  const count = live.count.bind(live);
  live.count = async (...of) => {
    most = Math.max(most, ++under);
    await new Promise(setImmediate);
    return count(...of).finally(() => under--);
  };
  expect([await views.count('events', { index: 'byEmitter', equals: [source] }), most]).toEqual([20, 1]);
});

test('jumps over deleted events at the old end of a list in one step, however many there are', async () => {
  const events = Array.from({ length: 5_000 }, (_, seq) => event(seq));
  const { live, shown: views } = await world(events, [{ channel: null, startId: null, endId: '1000-4997' }]);
  const reads: string[] = [];
  const find = live.find.bind(live);
  live.find = (name, query) => {
    if (name === 'events') reads.push(query.order);
    return find(name, query);
  };
  expect(await idsIn(views, all)).toEqual(['1000-4999', '1000-4998']);
  expect(await idsIn(views, { ...all, order: 'ascending' })).toEqual(['1000-4998', '1000-4999']);
  expect(reads).toEqual(['descending', 'ascending', 'ascending']);
});

test('answers unavailable instead of an empty page when too many deleted events come first', async () => {
  const { live, shown: views } = await world([], [{ channel: 'push', startId: null, endId: null }]);
  const value = event(1, 'push');
  const deleted = { id: eventKey(source, value.eventId), version: -1, value };
  let reads = 0;
  const find = live.find.bind(live);
  live.find = async (name, query) => {
    if (name !== 'events') return find(name, query);
    reads++;
    return Array.from({ length: query.limit }, () => deleted);
  };
  await expect(views.find('events', { ...all, limit: 10 })).rejects.toMatchObject({
    code: 'unavailable',
    message: 'many events of this source are being deleted: try again',
  });
  expect(reads).toBe(100);
});

test('reports the newest event that is not deleted as the highest', async () => {
  const events = [...Array.from({ length: 5 }, (_, seq) => event(seq)), event(5, 'push')];
  const { live, shown: views } = await world(events, [{ channel: null, startId: '1000-3', endId: null }]);
  const list = { index: 'byEmitter', equals: [source] };
  expect(await live.highest('events', list)).toBe(eventOrder('1000-5'));
  expect(await views.highest('events', list)).toBe(eventOrder('1000-2'));
  expect(await views.highest('events', { index: 'byChannel', equals: [source, 'push'] })).toBeUndefined();
  await live.saveCheckpoint({ [position]: 7 });
  expect(await views.highest('events', list)).toBe(eventOrder('1000-5'));
});

test('reads other views, and events by time, unchanged', async () => {
  const { shown: views } = await world([event(0)], [{ channel: null, startId: null, endId: null }]);
  expect(await idsIn(views, { index: 'byTime', equals: [], order: 'ascending' })).toEqual(['1000-0']);
  expect(await views.count('deletions', { index: 'byEmitter', equals: [source] })).toBe(1);
});
