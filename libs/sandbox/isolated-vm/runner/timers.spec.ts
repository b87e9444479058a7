// Timers become due on time and are fired one after another.
import { setTimeout as sleep } from 'node:timers/promises';
import { IsolateTimers } from './timers.ts';

test('due timers fire in order, one after another, unless cleared meanwhile', async () => {
  const fired: number[] = [];
  let together = 0;
  let most = 0;
  const done = Promise.withResolvers<void>();
  const timers = new IsolateTimers(10, async (id) => {
    fired.push(id);
    most = Math.max(most, ++together);
    await sleep(1);
    together--;
    if (id === 1) timers.delete(3);
    if (id === 4) done.resolve();
  });
  for (const id of [1, 2, 3, 4]) timers.set(id, 1, 7);
  await done.promise;
  expect({ fired, most, size: timers.size }).toEqual({ fired: [1, 2, 4], most: 1, size: 0 });
});

test('a timer set again fires once, timers beyond the bound are not set, and clearing removes all', async () => {
  const fired: number[] = [];
  const timers = new IsolateTimers(2, async (id) => void fired.push(id));
  for (const id of [1, 1, 2, 3]) timers.set(id, 5, 0);
  expect(timers.size).toBe(2);
  timers.clear();
  timers.set(4, 1, 0);
  while (fired.length === 0) await sleep(2);
  await sleep(10);
  expect(fired).toEqual([4]);
});

test('counts what an owner is still waiting for, without timers that are unref()ed', async () => {
  const fired: number[] = [];
  const timers = new IsolateTimers(10, async (id) => void fired.push(id));
  for (const id of [1, 2, 3]) timers.set(id, 60_000, 7);
  timers.set(4, 60_000, 8);
  timers.set(5, 1, 7);
  timers.unref(2);
  timers.unref(9);
  timers.delete(3);
  while (fired.length === 0) await sleep(2);
  expect([timers.countOf(7), timers.countOf(8), timers.countOf(9)]).toEqual([1, 1, 0]);
  timers.close();
  timers.set(6, 1, 7);
  expect(timers.size).toBe(0);
});
