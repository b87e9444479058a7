import fc from 'fast-check';
import { DueHeap } from './due-heap.ts';

test('law: what was put in comes out in the order of its time', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 50 })), (times) => {
      const heap = new DueHeap<number>();
      for (const time of times) heap.push(time, time);
      const out: number[] = [];
      for (let first = heap.first; first !== undefined; first = heap.first) {
        out.push(first.item);
        heap.pop();
      }
      expect(out).toEqual(times.toSorted((a, b) => a - b));
    }),
  );
});
