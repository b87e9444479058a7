import fc from 'fast-check';
import { Fifo } from './fifo.ts';
import { Unfinished } from './unfinished.ts';

test('a fifo gives back what it was given, in order, however often it is emptied', () => {
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

test('the mark is the oldest unfinished trigger, whatever the order of ending', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.nat(1_000), { minLength: 1 }), fc.infiniteStream(fc.nat()), (offsets, choices) => {
      const open = offsets.toSorted((a, b) => a - b);
      const unfinished = new Unfinished(0);
      for (const offset of open) unfinished.add(offset);
      unfinished.readTo(2_000);
      while (open.length > 0) {
        expect(unfinished.mark()).toBe(open[0]);
        const [ended] = open.splice(choices.next().value % open.length, 1);
        if (ended !== undefined) unfinished.done(ended);
      }
      expect(unfinished.mark()).toBe(2_000);
    }),
  );
});
