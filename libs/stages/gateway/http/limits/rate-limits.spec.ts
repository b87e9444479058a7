import { RateLimits } from './rate-limits.ts';

let nowMs = 0;
const takeMany = (limits: RateLimits, count: number, perSecond: number): number =>
  Array.from({ length: count }).filter(() => limits.tryTake('dc_1', perSecond)).length;

test('accepts a burst worth ten seconds at once, and then only at the rate', () => {
  const limits = new RateLimits(() => nowMs);
  expect(takeMany(limits, 100, 2)).toBe(20);
  nowMs += 499;
  expect(limits.tryTake('dc_1', 2)).toBe(false);
  nowMs += 2;
  expect(takeMany(limits, 5, 2)).toBe(1);
  nowMs += 3_600_000;
  expect(takeMany(limits, 100, 2)).toBe(20);
});

test('holds the average rate over a long time', () => {
  const limits = new RateLimits(() => nowMs);
  let all = 0;
  for (let ms = 0; ms < 100_000; ms += 7) {
    nowMs += 7;
    all += takeMany(limits, 3, 10);
  }
  expect(all).toBeGreaterThan(1_090);
  expect(all).toBeLessThanOrEqual(1_101);
});

test('applies a changed limit at once', () => {
  const limits = new RateLimits(() => nowMs);
  expect(takeMany(limits, 10, 1)).toBe(10);
  nowMs += 500;
  expect(limits.tryTake('dc_1', 1)).toBe(false);
  nowMs += 10;
  expect(limits.tryTake('dc_1', 100)).toBe(true);
});

test('remembers only the most recently used sources', () => {
  const limits = new RateLimits(() => nowMs, 100);
  for (let at = 0; at < 10_000; at++) limits.tryTake(`dc_${at}`, 1);
  expect(limits.size).toBe(100);
});
