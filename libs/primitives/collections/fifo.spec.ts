import fc from 'fast-check';
import { Fifo } from './fifo.ts';

test('gives items back in order, also after being emptied', () => {
  const fifo = new Fifo<number>();
  const model: number[] = [];
  const steps = fc.array(fc.tuple(fc.nat(3_000), fc.nat(3_000)), { maxLength: 6 });
  fc.assert(
    fc.property(steps, (pushAndShift) => {
      for (const [pushes, shifts] of pushAndShift) {
        for (let n = 0; n < pushes; n++) {
          fifo.push(n);
          model.push(n);
        }
        const taken = Array.from({ length: shifts }, () => fifo.shift());
        expect(taken.filter((item) => item !== undefined)).toEqual(model.splice(0, shifts));
        expect(fifo.length).toBe(model.length);
        expect(fifo.peek()).toBe(model[0]);
      }
      expect(fifo.toArray()).toEqual(model);
    }),
    { numRuns: 30 },
  );
});

test('peeks at items, puts items back in front, and is empty once drained, wherever its first slot is', () => {
  fc.assert(
    fc.property(fc.nat(200), fc.array(fc.nat(), { minLength: 1, maxLength: 200 }), (shifted, items) => {
      const fifo = new Fifo<number>();
      for (let n = 0; n < shifted; n++) fifo.push(n);
      for (const item of items) fifo.push(item);
      for (let n = 0; n < shifted; n++) expect(fifo.shift()).toBe(n);
      expect(items.map((_, index) => fifo.at(index))).toEqual(items);
      expect(fifo.at(items.length)).toBeUndefined();
      expect(fifo.first(3)).toEqual(items.slice(0, 3));
      fifo.unshiftAll([-2, -1]);
      expect(fifo.drain()).toEqual([-2, -1, ...items]);
      expect([fifo.length, fifo.peek(), fifo.shift()]).toEqual([0, undefined, undefined]);
    }),
  );
});
