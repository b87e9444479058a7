import fc from 'fast-check';
import { Fifo } from './fifo.ts';
import { Slots } from './slots.ts';
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

test('no more than so many slots are out, and they come in the order of asking', () => {
  const slots = new Slots(2);
  const begun: number[] = [];
  for (let n = 0; n < 5; n++) slots.take('w', () => begun.push(n));
  expect(begun).toEqual([0, 1]);
  slots.release('w');
  expect(begun).toEqual([0, 1, 2]);
  for (let n = 0; n < 4; n++) slots.release('w');
  slots.take('w', () => begun.push(5));
  expect(begun).toEqual([0, 1, 2, 3, 4, 5]);
});

test('workspaces come in turn, and one that asks for everything leaves a part to the others', () => {
  const slots = new Slots(16);
  const begun: string[] = [];
  const ask = (workspace: string, times: number): string[] => {
    begun.length = 0;
    for (let n = 0; n < times; n++) slots.take(workspace, () => begun.push(workspace));
    return begun;
  };
  expect(ask('greedy', 10_000)).toHaveLength(12);
  expect(ask('second', 100)).toHaveLength(3);
  expect(ask('third', 100)).toHaveLength(1);
  expect(ask('modest', 2)).toEqual([]);
  for (const workspace of ['greedy', 'second', 'third', 'greedy', 'second', 'third']) slots.release(workspace);
  expect(begun).toEqual(['third', 'second', 'modest', 'third', 'second', 'modest']);
});

test('the mark is the oldest unfinished trigger, whatever the order of ending', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.nat(1_000), { minLength: 1 }), fc.infiniteStream(fc.nat()), (offsets, choices) => {
      const items = offsets.toSorted((a, b) => a - b).map((offset) => ({ offset, done: false }));
      const unfinished = new Unfinished(0);
      for (const item of items) unfinished.add(item);
      unfinished.readTo(2_000);
      const open = [...items];
      while (open.length > 0) {
        expect(unfinished.mark()).toBe(open[0]?.offset);
        const [ended] = open.splice(choices.next().value % open.length, 1);
        if (ended !== undefined) ended.done = true;
      }
      expect(unfinished.mark()).toBe(2_000);
    }),
  );
});
