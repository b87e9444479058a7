// Which owner is next when several owners have many items each.
import { processorMs } from '../processor-ms.fake.ts';
import { FairQueue } from './fair-queue.ts';

interface Item {
  readonly owner: string;
  readonly n: number;
}

const queueOf = (...counts: readonly (readonly [owner: string, count: number])[]) => {
  const queue = new FairQueue<Item>(({ owner }) => owner);
  for (const [owner, count] of counts) for (let n = 0; n < count; n++) queue.add({ owner, n });
  return queue;
};
const named = ({ owner, n }: Item): string => `${owner}${n}`;

/** Removes and returns the next `count` items. */
function takeNext(queue: FairQueue<Item>, count: number): string[] {
  const seen: string[] = [];
  queue.takeTurns(
    () => seen.length < count,
    (item) => seen.push(named(item)) < 0,
  );
  return seen;
}

test('the items of one owner are counted while they wait', () => {
  const queue = queueOf(['a', 3], ['b', 1]);
  takeNext(queue, 3);
  expect(['a', 'b', 'c'].map((owner) => queue.sizeOf(owner))).toEqual([1, 0, 0]);
});

test('owners take turns, the items of each keep their order, and the next call goes on where this one ended', () => {
  const of = queueOf(['a', 4], ['b', 1], ['c', 2]);
  expect(takeNext(of, 2)).toEqual(['a0', 'b0']);
  expect([of.size, [...of].map(named)]).toEqual([5, ['c0', 'c1', 'a1', 'a2', 'a3']]);
  expect(takeNext(of, 9)).toEqual(['c0', 'a1', 'c1', 'a2', 'a3']);
  expect([of.size, takeNext(of, 1)]).toEqual([0, []]);
});

test('an owner that may not have its turn keeps it, and the next one has it', () => {
  const of = queueOf(['a', 2], ['b', 1]);
  const isOther = (owner: string): boolean => owner !== 'a';
  expect([of.take(isOther), of.take(isOther)]).toEqual([{ owner: 'b', n: 0 }, undefined]);
  expect([of.take(), of.size]).toEqual([{ owner: 'a', n: 0 }, 1]);
});

test('items that come again have their turn after the others, as long as it goes on', () => {
  const of = queueOf(['a', 2], ['b', 1]);
  const seen: string[] = [];
  of.takeTurns(
    () => seen.length < 7,
    (item) => seen.push(named(item)) > 0,
  );
  expect(seen).toEqual(['a0', 'b0', 'a1', 'b0', 'a0', 'b0', 'a1']);
  expect(of.size).toBe(3);
});

test('of items that are put back because there is nothing for them, each has one turn', () => {
  const of = queueOf(['a', 3], ['b', 1]);
  const seen: string[] = [];
  of.takeTurns(
    () => true,
    (item) => {
      seen.push(named(item));
      of.add(item);
      return false;
    },
  );
  expect(seen).toEqual(['a0', 'b0', 'a1', 'a2']);
  expect(of.size).toBe(4);
});

test('one is taken at a time, in the same turns', () => {
  const of = queueOf(['a', 2], ['b', 1]);
  const taken = [of.take(), of.take(), of.take(), of.take()].map((item) => item && named(item));
  expect([taken, of.size]).toEqual([['a0', 'b0', 'a1', undefined], 0]);
});

test('items that left, or were added twice, are not given a turn for it', () => {
  const of = queueOf(['a', 1]);
  const one = { owner: 'b', n: 0 };
  of.add(one);
  of.add(one);
  expect(of.size).toBe(2);
  of.delete(one);
  of.delete(one);
  expect(takeNext(of, 9)).toEqual(['a0']);
  of.add(one);
  of.clear();
  expect([of.size, takeNext(of, 9)]).toEqual([0, []]);
});

test('hundreds of thousands of one owner take time by their number, not by its square', () => {
  const of = queueOf(['a', 300_000]);
  const takeAll = (): void => {
    while (of.take() !== undefined);
  };
  expect(processorMs(takeAll)).toBeLessThan(2_500);
  expect(of.size).toBe(0);
});
