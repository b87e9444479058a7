import type { Positions } from '../log/log.ts';
import { CheckpointWatch } from './checkpoint-watch.ts';

test('all callers share the reads, and each wait ends when its record is passed or its time is over', async () => {
  let reads = 0;
  let positions: Positions = { 'a/0': 1 };
  const watch = new CheckpointWatch(() => {
    reads += 1;
    return Promise.resolve(positions);
  });
  const many = Array.from({ length: 100 }, () => watch.waitUntilPassed('a/0', 5, 10_000));
  expect(await Promise.all([watch.waitUntilPassed('a/0', 0, 10_000), watch.waitUntilPassed('b/0', 0, 20)])).toEqual([
    1, 0,
  ]);
  expect(reads).toBeLessThan(50);
  positions = { 'a/0': 7 };
  expect(new Set(await Promise.all(many))).toEqual(new Set([7]));
  const before = reads;
  await new Promise((resolve) => setTimeout(resolve, 30));
  expect(reads).toBe(before);
});

test('when the store fails, all waits fail, and the next caller reads again', async () => {
  let fails = true;
  const watch = new CheckpointWatch(() => (fails ? Promise.reject(new Error('away')) : Promise.resolve({ 'a/0': 1 })));
  const waiting = [watch.waitUntilPassed('a/0', 0, 10_000), watch.waitUntilPassed('a/1', 0, 10_000)];
  expect(await Promise.allSettled(waiting)).toMatchObject([
    { reason: new Error('away') },
    { reason: new Error('away') },
  ]);
  fails = false;
  expect(await watch.waitUntilPassed('a/0', 0, 10_000)).toBe(1);
});
