import { BoundedFairQueue } from './bounded-fair-queue.ts';

const drained = <T>(queue: BoundedFairQueue<T>): T[] => {
  const all: T[] = [];
  for (let item = queue.take(); item !== undefined; item = queue.take()) all.push(item);
  return all;
};

test('owners take turns, and the items of each keep their order', () => {
  const queue = new BoundedFairQueue<string>({ perOwnerMax: 10, totalMax: 10 });
  for (const item of ['a1', 'a2', 'a3', 'b1', 'c1', 'b2']) queue.add(item.charAt(0), item);
  expect(drained(queue)).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3']);
});

test('a new owner is served second, however many items of another wait', () => {
  const queue = new BoundedFairQueue<string>({ perOwnerMax: 10_000, totalMax: 10_000 });
  for (let at = 0; at < 5_000; at++) queue.add('a', `a${at}`);
  queue.take();
  queue.add('b', 'b');
  expect([queue.take(), queue.take()]).toEqual(['a1', 'b']);
});

test('refuses items above the limit of an owner or of all, until others are taken', () => {
  const queue = new BoundedFairQueue<number>({ perOwnerMax: 2, totalMax: 3 });
  expect([queue.add('a', 1), queue.add('a', 2), queue.add('a', 3)]).toEqual([true, true, false]);
  expect([queue.add('b', 4), queue.add('b', 5), queue.add('c', 6)]).toEqual([true, false, false]);
  expect(queue.take()).toBe(1);
  expect([queue.add('c', 7), queue.add('c', 8)]).toEqual([true, false]);
  expect(drained(queue)).toEqual([4, 2, 7]);
  expect(queue.add('a', 9)).toBe(true);
});
