import fc from 'fast-check';
import { DueHeap } from './due-heap.ts';

test('items come out ordered by time, and by insertion for equal times', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 50 })), (times) => {
      const heap = new DueHeap<readonly [number, number]>();
      for (const [index, time] of times.entries()) heap.push(time, [time, index]);
      const out: (readonly [number, number])[] = [];
      for (let first = heap.first; first !== undefined; first = heap.first) {
        out.push(first.item);
        heap.pop();
      }
      expect(out).toEqual(times.map((time, index) => [time, index]).toSorted(([a = 0], [b = 0]) => a - b));
    }),
  );
});
