import fc from 'fast-check';
import { Heap } from './heap.ts';

test('items come out in ascending order, also when others are pushed in between', () => {
  fc.assert(
    fc.property(fc.array(fc.integer()), fc.array(fc.integer()), (first, second) => {
      const heap = new Heap<number>((a, b) => a < b);
      for (const item of first) heap.push(item);
      const least = heap.pop();
      for (const item of second) heap.push(item);
      const rest = Array.from({ length: heap.size }, () => heap.pop());
      expect(least).toBe(first.length === 0 ? undefined : Math.min(...first));
      const left = first.toSorted((a, b) => a - b).slice(1);
      expect(rest).toEqual([...left, ...second].toSorted((a, b) => a - b));
      expect(heap.pop()).toBeUndefined();
    }),
  );
});
