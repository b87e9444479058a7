// The cache stays within its bound and drops the least recently used entries.
import { BoundedCache } from './bounded-cache.ts';

it('forgets the least recently used entries, and never the newest', () => {
  const cache = new BoundedCache<number>(10);
  cache.set('a', 1, 4);
  cache.set('b', 2, 4);
  expect(cache.get('a')).toBe(1);
  cache.set('c', 3, 4);
  expect([cache.get('a'), cache.get('b'), cache.get('c')]).toEqual([1, undefined, 3]);
  cache.set('large', 4, 100);
  expect([cache.get('a'), cache.get('c'), cache.get('large')]).toEqual([undefined, undefined, 4]);
});

it('counts an entry once when it is set again', () => {
  const cache = new BoundedCache<number>(10);
  for (let round = 0; round < 5; round++) cache.set('a', round, 6);
  cache.set('b', 9, 4);
  expect([cache.get('a'), cache.get('b')]).toEqual([4, 9]);
});
