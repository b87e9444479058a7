import fc from 'fast-check';
import type { ViewDefinition } from '../../../../domain/views/view.ts';
import { MemoryViewStore } from '../../../../view-store/view-store.fake.ts';
import { MergedRanges, orderPosition } from './merged-ranges.ts';

const definition: ViewDefinition = { name: 'things', indexes: { byState: ['state', 'order'] } };
const states = ['a', 'b', 'c'];
const orderOf = (n: number): string => String(n).padStart(3, '0');

async function viewsOf(recordStates: readonly string[]) {
  const build = new MemoryViewStore([definition]).live();
  await build.put(
    recordStates.map((state, n) => ({
      view: 'things',
      id: `t_${orderOf(n)}`,
      version: n,
      value: { state, order: orderOf(n) },
    })),
  );
  return build;
}

const groups = states.map((state) => ({ index: 'byState', equals: [state] }));

test('pages have each record of every range once and in order, within the bounds, in both directions', async () => {
  const statesArbitrary = fc.array(fc.constantFrom('a', 'a', 'a', 'b', 'c', 'd'), { maxLength: 60 });
  const bound = fc.option(fc.nat(60).map(orderOf), { nil: undefined });
  await fc.assert(
    fc.asyncProperty(statesArbitrary, bound, bound, fc.integer({ min: 1, max: 9 }), async (all, from, to, limit) => {
      const ranges = new MergedRanges(await viewsOf(all), { view: 'things', groups, from, to });
      const wanted = all
        .map((state, n) => ({ state, order: orderOf(n) }))
        .filter(({ state, order }) => states.includes(state) && order >= (from ?? '') && order < (to ?? '~'))
        .map(({ order }) => order);
      expect(await ranges.count()).toBe(wanted.length);
      for (const order of ['ascending', 'descending'] as const) {
        const found: unknown[] = [];
        for (let after = {}; ;) {
          const page = await ranges.find({ order, limit, ...after });
          found.push(...page.map(({ value }) => value['order']));
          const last = page.at(-1);
          // A page is short only at the end.
          if (last === undefined || page.length < limit) break;
          after = { after: orderPosition(last) };
        }
        expect(found).toEqual(order === 'ascending' ? wanted : wanted.toReversed());
      }
    }),
    { numRuns: 50 },
  );
});

test('only the records of the page are read, wherever the ranges have them', async () => {
  const build = await viewsOf(Array.from({ length: 100 }, (_, n) => (n < 60 ? (states[n % 3] ?? '') : 'a')));
  const read: string[] = [];
  const getMany = build.getMany.bind(build);
  build.find = () => Promise.reject(new Error('whole pages of each range'));
  build.getMany = (view, ids) => {
    read.push(...ids);
    return getMany(view, ids);
  };
  const ranges = new MergedRanges(build, { view: 'things', groups, from: undefined, to: undefined });
  const page = await ranges.find({ order: 'descending', limit: 50 });
  expect(page.map(({ id }) => id)).toEqual(Array.from({ length: 50 }, (_, n) => `t_${orderOf(99 - n)}`));
  expect(read).toEqual(page.map(({ id }) => id));
});

test('a record that moves to another range during a read is returned once, and a deleted one leaves no gap', async () => {
  const build = await viewsOf(['a', 'b', 'a', 'b', 'a']);
  const readPlaces = build.findKeys.bind(build);
  let calls = 0;
  build.findKeys = async (view, query) => {
    const found = await readPlaces(view, query);
    if (++calls === 1) {
      const moved = { view, id: 't_002', version: 10, value: { state: 'b', order: orderOf(2) } };
      await build.put([moved, { view, id: 't_003', version: 10, value: undefined }]);
    }
    return found;
  };
  const ranges = new MergedRanges(build, { view: 'things', groups, from: undefined, to: undefined });
  const page = await ranges.find({ order: 'descending', limit: 4 });
  expect(page.map(({ id }) => id)).toEqual(['t_004', 't_002', 't_001', 't_000']);
});
