import fc from 'fast-check';
import type { ViewDefinition } from '../../../../domain/views/view.ts';
import { MemoryViewStore } from '../../../../view-store/view-store.fake.ts';
import { MergedRanges, orderPlace } from './merged-ranges.ts';

const definition: ViewDefinition = { name: 'things', indexes: { byState: ['state', 'order'] } };
const states = ['a', 'b', 'c'];
const orderOf = (n: number): string => String(n).padStart(3, '0');

async function viewsOf(given: readonly string[]) {
  const build = new MemoryViewStore([definition]).live();
  await build.put(
    given.map((state, n) => ({
      view: 'things',
      id: `t_${orderOf(n)}`,
      version: n,
      value: { state, order: orderOf(n) },
    })),
  );
  return build;
}

const groups = states.map((state) => ({ index: 'byState', equals: [state] }));

test('pages give each record of every range once and in order, within the bounds, in both directions', async () => {
  const given = fc.array(fc.constantFrom('a', 'a', 'a', 'b', 'c', 'd'), { maxLength: 60 });
  const bound = fc.option(fc.nat(60).map(orderOf), { nil: undefined });
  await fc.assert(
    fc.asyncProperty(given, bound, bound, fc.integer({ min: 1, max: 9 }), async (all, from, to, limit) => {
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
          after = { after: orderPlace(last) };
        }
        expect(found).toEqual(order === 'ascending' ? wanted : wanted.toReversed());
      }
    }),
    { numRuns: 50 },
  );
});
