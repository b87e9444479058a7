import * as fc from 'fast-check';
import { SourceState } from './source-state.ts';
import type { SavedState } from './source-state.ts';

const sealer = { open: () => ({}), seal: () => null };
const restored = (state: SourceState): SourceState => new SourceState('dc_1', saved(state), sealer);
const saved = (state: SourceState): SavedState => JSON.parse(JSON.stringify(state.toSaved())) as SavedState;

test('overtaken runs are not finished until they end, even after a restart', () => {
  let state = new SourceState('dc_1', undefined, sealer);
  state.finish('runs', 7, [3, 5]);
  state = restored(state);
  expect([2, 3, 5, 7, 8].map((offset) => state.isFinished('runs', offset))).toEqual([true, false, false, true, false]);
  expect(state.isFinished('hooks', 3)).toBe(false);
  state.finish('runs', 3, []);
  state = restored(state);
  expect([3, 5].map((offset) => state.isFinished('runs', offset))).toEqual([true, false]);
  state.finish('runs', 9, [5]);
  state.finish('runs', 5, []);
  expect(saved(state)).not.toHaveProperty('overtaken');
  expect(state.isFinished('runs', 5)).toBe(true);
});

test('exactly the runs that have ended count as finished at any time, in whatever order they end', () => {
  const orders = fc.array(fc.nat({ max: 15 }), { maxLength: 60 });
  fc.assert(
    fc.property(orders, fc.integer({ min: 1, max: 16 }), (picks, concurrency) => {
      let state = new SourceState('dc_1', undefined, sealer);
      const running: number[] = [];
      const ended = new Set<number>();
      let next = 0;
      for (const pick of picks) {
        while (running.length < concurrency) running.push(next++);
        const [offset = 0] = running.splice(pick % running.length, 1);
        const overtaken = running.filter((other) => other < offset);
        state.finish('runs', offset, overtaken);
        ended.add(offset);
        state = restored(state);
        for (let each = 0; each < next + 2; each++) expect(state.isFinished('runs', each)).toBe(ended.has(each));
      }
    }),
  );
});
