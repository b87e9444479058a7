import fc from 'fast-check';
import { jest } from '@jest/globals';
import { DueQueue } from './due-queue.ts';

afterEach(() => jest.useRealTimers());

test('items become due in the order of their time, and never early', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(1_000), { maxLength: 50 }), (times) => {
      jest.useFakeTimers({ now: 0 });
      const due: number[] = [];
      const queue = new DueQueue<{ dueAt: number }>(Date.now, ({ dueAt }) => {
        expect(dueAt).toBeLessThanOrEqual(Date.now());
        due.push(dueAt);
      });
      for (const dueAt of times) queue.add({ dueAt });
      jest.advanceTimersByTime(1_000);
      expect(due).toEqual(times.toSorted((a, b) => a - b));
      expect(queue.length).toBe(0);
    }),
  );
});

test('entries due later than a timer can wait still become due', () => {
  jest.useFakeTimers({ now: 0 });
  const due: number[] = [];
  const queue = new DueQueue<{ dueAt: number }>(Date.now, ({ dueAt }) => due.push(dueAt));
  queue.add({ dueAt: 2 ** 32 });
  jest.advanceTimersByTime(2 ** 32 - 1);
  expect(due).toEqual([]);
  jest.advanceTimersByTime(1);
  expect(due).toEqual([2 ** 32]);
});

test('what became due while the machine slept is done within a minute after it wakes', () => {
  jest.useFakeTimers({ now: 0 });
  let asleepMs = 0;
  const due: number[] = [];
  const queue = new DueQueue<{ dueAt: number }>(
    () => Date.now() + asleepMs,
    ({ dueAt }) => due.push(dueAt),
  );
  for (const dueAt of [3_600_000, 36_000_000]) queue.add({ dueAt });
  jest.advanceTimersByTime(90_000);
  // No timer runs in the meantime.
  asleepMs = 8 * 3_600_000;
  jest.advanceTimersByTime(60_000);
  expect(due).toEqual([3_600_000]);
  jest.advanceTimersByTime(2 * 3_600_000);
  expect(due).toEqual([3_600_000, 36_000_000]);
});

test('nothing becomes due after closing', () => {
  jest.useFakeTimers({ now: 0 });
  const due: number[] = [];
  const queue = new DueQueue<{ dueAt: number }>(Date.now, ({ dueAt }) => due.push(dueAt));
  queue.add({ dueAt: 5 });
  queue.close();
  jest.advanceTimersByTime(10);
  expect(due).toEqual([]);
});
