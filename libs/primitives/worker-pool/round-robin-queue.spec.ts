// Callers take turns, however much each has queued.
import { RoundRobinQueue } from './round-robin-queue.ts';

const drained = (queue: RoundRobinQueue<string>): string[] => {
  const items: string[] = [];
  for (let item = queue.shift(); item !== undefined; item = queue.shift()) items.push(item);
  return items;
};

it('takes the oldest job of each caller in turn', () => {
  const queue = new RoundRobinQueue<string>();
  for (const item of ['a1', 'a2', 'a3', 'b1', 'c1', 'c2']) queue.push(item.charAt(0), item);
  expect(queue.size).toBe(6);
  expect(drained(queue)).toEqual(['a1', 'b1', 'c1', 'a2', 'c2', 'a3']);
  expect(queue.size).toBe(0);
});

it('lets a newcomer wait for one job of each other caller, not for all their jobs', () => {
  const queue = new RoundRobinQueue<string>();
  for (let at = 0; at < 1_000; at++) queue.push('greedy', `greedy${at}`);
  queue.shift();
  queue.push('modest', 'modest');
  expect([queue.shift(), queue.shift()]).toEqual(['greedy1', 'modest']);
});

it('passes over a caller who may not run now, and keeps its turn', () => {
  const queue = new RoundRobinQueue<string>();
  for (const item of ['a1', 'a2', 'b1']) queue.push(item.charAt(0), item);
  expect(queue.shift((caller) => caller === 'b')).toBe('b1');
  expect(queue.shift((caller) => caller === 'b')).toBeUndefined();
  expect(drained(queue)).toEqual(['a1', 'a2']);
});
