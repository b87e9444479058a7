// Lists, counts and single subscriptions, as if everything noted for removal were already removed.
import fc from 'fast-check';
import { removalsView, viewDefinitions } from '../../../domain/views/index.ts';
import type { RemovalView, SubscriptionView } from '../../../domain/views/index.ts';
import type { ViewBuild, ViewQuery } from '../../../view-store/view-store.ts';
import { MemoryViewStore } from '../../../view-store/view-store.fake.ts';
import { ViewsWithoutRemoved } from './views-without-removed.ts';

const subscription = (n: number, listenerId: string, emitterId: string): SubscriptionView => ({
  workspace: 'o_1',
  subscriptionId: `sub_${n}`,
  emitterId,
  listenerId,
  eventName: null,
  triple: `t_${n}`,
  filter: null,
  createdAt: Math.floor(n / 2),
});

const note = (index: string, id: string, place: number): RemovalView => ({
  note: `${index}/${id}/${place}`,
  view: 'subscriptions',
  index,
  equals: ['o_1', id],
  place,
  partition: 0,
});

async function world(subscriptions: readonly SubscriptionView[], notes: readonly RemovalView[]) {
  const live = new MemoryViewStore(viewDefinitions).live();
  await live.put(
    subscriptions.map((value, version) => ({ view: 'subscriptions', id: value.subscriptionId, version, value })),
  );
  await live.put(notes.map((value) => ({ view: removalsView, id: value.note, version: value.place, value })));
  return { live, shown: new ViewsWithoutRemoved(live) };
}

const idsIn = async (build: ViewBuild, query: ViewQuery) =>
  (await build.find('subscriptions', query)).map(({ id }) => id);

const listeners = fc.constantFrom('wh_1', 'wh_2', 'wh_3');
const sources = fc.constantFrom('dc_1', 'dc_2');
const lists = fc.constantFrom(
  { index: 'byWorkspace', equals: ['o_1'] },
  ...['wh_1', 'wh_2'].map((id) => ({ index: 'byListener', equals: ['o_1', id] })),
  { index: 'byEmitter', equals: ['o_1', 'dc_1'] },
);
const queries = fc.record({
  list: lists,
  order: fc.constantFrom('ascending' as const, 'descending' as const),
  limit: fc.integer({ min: 1, max: 12 }),
  after: fc.option(fc.nat(20), { nil: undefined }),
});

test('every page, count and subscription is as if everything noted for removal were removed', async () => {
  const law = async (
    of: readonly (readonly [string, string])[],
    removedIds: readonly string[],
    { list, after, ...paging }: typeof queries extends fc.Arbitrary<infer Q> ? Q : never,
  ) => {
    const all = of.map(([listenerId, emitterId], n) => subscription(n, listenerId, emitterId));
    // The notes do not cover versions 20 and later.
    const { live, shown: views } = await world(
      all,
      removedIds.map((id) => note('byListener', id, 20)),
    );
    const place = after === undefined ? {} : { after: { sort: after, id: 'sub_1' } };
    const query = { ...list, ...paging, ...place };
    const found = await idsIn(views, query);
    const places = await views.findKeys('subscriptions', query);
    const single = await views.get('subscriptions', 'sub_3');
    const several = await views.getMany('subscriptions', ['sub_1', 'sub_30']);
    const counted = await views.count('subscriptions', list);
    for (const id of removedIds)
      await live.removeRange('subscriptions', { ...note('byListener', id, 20), belowVersion: 20, leaves: 'nothing' });
    expect(single).toEqual(await live.get('subscriptions', 'sub_3'));
    expect(several).toEqual(await live.getMany('subscriptions', ['sub_1', 'sub_30']));
    if (of.length > 20) return;
    expect(found).toEqual(await idsIn(live, query));
    expect(places).toEqual(await live.findKeys('subscriptions', query));
    // Subscriptions on a list that only partly overlaps a note are counted until they are removed.
    const left = await live.count('subscriptions', list);
    expect(list.index === 'byEmitter' && removedIds.length > 0 ? counted >= left : counted === left).toBe(true);
  };
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(listeners, sources), { maxLength: 30, size: 'max' }),
      fc.uniqueArray(listeners, { maxLength: 2 }),
      queries,
      law,
    ),
    { numRuns: 300 },
  );
});

test('finds the page after 20,000 removed subscriptions', async () => {
  const all = Array.from({ length: 20_010 }, (_, n) => subscription(n, n < 20_000 ? 'wh_1' : 'wh_2', `dc_${n}`));
  const { shown: views } = await world(all, [note('byListener', 'wh_1', 30_000)]);
  const list = { index: 'byWorkspace', equals: ['o_1'], order: 'ascending', limit: 5 } as const;
  expect(await idsIn(views, list)).toEqual(['sub_20000', 'sub_20001', 'sub_20002', 'sub_20003', 'sub_20004']);
  expect(await views.count('subscriptions', list)).toBe(10);
});

test('a count during a removal step ignores the subscriptions being removed', async () => {
  const all = Array.from({ length: 10 }, (_, n) => subscription(n, n < 4 ? 'wh_1' : 'wh_2', 'dc_1'));
  const { live, shown: views } = await world(all, [note('byListener', 'wh_1', 30)]);
  const count = live.count.bind(live);
  let counts = 0;
  live.count = async (view, query) => {
    const found = await count(view, query);
    if (++counts === 1) {
      const step = {
        index: 'byListener',
        equals: ['o_1', 'wh_1'],
        to: 1,
        belowVersion: 30,
        leaves: 'nothing',
      } as const;
      await live.removeRange('subscriptions', step);
    }
    return found;
  };
  expect(await views.count('subscriptions', { index: 'byWorkspace', equals: ['o_1'] })).toBe(6);
});

test('answers unavailable instead of an empty page when too many removed subscriptions come first', async () => {
  const { live, shown: views } = await world([], [note('byListener', 'wh_1', 30)]);
  const value = subscription(1, 'wh_1', 'dc_1');
  const find = live.find.bind(live);
  live.find = async (name, query) =>
    name === 'subscriptions'
      ? Array.from({ length: query.limit }, () => ({ id: 'sub_1', version: 1, value }))
      : find(name, query);
  const query = { index: 'byWorkspace', equals: ['o_1'], order: 'ascending', limit: 5 } as const;
  await expect(views.find('subscriptions', query)).rejects.toMatchObject({ code: 'unavailable' });
});
