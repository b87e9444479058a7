import fc from 'fast-check';
import type { DedupeStrategy } from '../component/manifest.ts';
import { dedupe, uniqueIdsMax } from './dedupe.ts';
import type { EmitCall } from '../component/emit-call.ts';
import type { DedupeMemory } from '../channel/messages.ts';

const emit = (id?: string | number): EmitCall => ({ event: {}, channel: '', ...(id === undefined ? {} : { id }) });

/** The ids kept in each run, in the order of the runs. */
function runs(strategy: DedupeStrategy, ...ids: readonly (string | number | undefined)[][]): unknown[][] {
  let memory: DedupeMemory | null = null;
  return ids.map((run) => {
    const result = dedupe(strategy, memory, run.map(emit));
    memory = result.memory;
    expect(result.kept.length + result.dropped).toBe(run.length);
    return result.kept.map((kept) => kept.id);
  });
}

test('without a strategy everything is kept, with or without ids', () => {
  expect(dedupe(undefined, null, [emit(1), emit(1), emit()])).toMatchObject({ dropped: 0, memory: null });
});

describe('unique', () => {
  test('drops ids seen in this run or an earlier one; a number equals its text', () => {
    expect(runs('unique', ['a', 'b', 'a'], ['b', 1], ['1', 'c'])).toEqual([['a', 'b'], [1], ['c']]);
  });

  test('drops an emit without an id', () => {
    expect(runs('unique', [undefined, 'a'])).toEqual([['a']]);
  });

  test('forgets the oldest of more than 100 ids, first in, first out', () => {
    const hundred = Array.from({ length: uniqueIdsMax }, (_, index) => `id${index}`);
    expect(runs('unique', hundred, ['id0'], ['new'], ['id1', 'id0'])).toEqual([hundred, [], ['new'], ['id0']]);
  });

  test('distinguishes long ids and remembers them in bounded space', () => {
    const long = 'x'.repeat(100_000);
    const result = dedupe('unique', null, [emit(`${long}1`), emit(`${long}2`), emit(`${long}1`)]);
    expect(result.kept).toHaveLength(2);
    expect(JSON.stringify(result.memory).length).toBeLessThan(300);
  });

  test('never keeps an id twice within 100 kept ones, and drops only ids among the last 100', () => {
    const ids = fc.array(fc.nat(150), { maxLength: 400 });
    fc.assert(
      fc.property(fc.array(ids, { maxLength: 5 }), (perRun) => {
        const kept = runs('unique', ...perRun).flat();
        kept.forEach((id, index) => {
          expect(kept.slice(Math.max(0, index - uniqueIdsMax), index)).not.toContain(id);
        });
        expect(new Set(kept)).toEqual(new Set(perRun.flat()));
      }),
    );
  });
});

describe('greatest', () => {
  test('keeps only ids greater than all before', () => {
    expect(runs('greatest', [1, 3, 2], [3, '4'], ['x', '', undefined, 5])).toEqual([[1, 3], ['4'], [5]]);
  });

  test('compares integers beyond 2^53 exactly', () => {
    expect(runs('greatest', ['9007199254740993'], ['9007199254740992', '9007199254740994', 1e15])).toEqual([
      ['9007199254740993'],
      ['9007199254740994'],
    ]);
  });

  test('yields an ascending sequence', () => {
    fc.assert(
      fc.property(fc.array(fc.array(fc.integer())), (perRun) => {
        const kept = runs('greatest', ...perRun).flat() as number[];
        expect(kept).toEqual([...new Set(kept)].sort((a, b) => a - b));
        if (perRun.flat().length > 0) expect(kept.at(-1)).toBe(Math.max(...perRun.flat()));
      }),
    );
  });
});

describe('last', () => {
  test('keeps only what comes after the last known event, or everything when that is missing', () => {
    expect(runs('last', ['a', 'b'], ['a', 'b', 'c', 'd'], ['d'], ['x', 'y'])).toEqual([
      ['a', 'b'],
      ['c', 'd'],
      [],
      ['x', 'y'],
    ]);
  });
});

test('changing the strategy starts with an empty memory', () => {
  const { memory } = dedupe('unique', null, [emit(9)]);
  expect(dedupe('greatest', memory, [emit(1)]).kept).toHaveLength(1);
});

test.each<DedupeStrategy>(['unique', 'greatest', 'last'])(
  '%s: repeating a run yields nothing, and the order is kept',
  (strategy) => {
    const distinct = fc.uniqueArray(fc.integer(), { maxLength: uniqueIdsMax });
    fc.assert(
      fc.property(distinct, (ids) => {
        const [first, again] = runs(strategy, ids, ids);
        expect(again).toEqual([]);
        expect(ids.filter((id) => first?.includes(id))).toEqual(first);
      }),
    );
  },
);
