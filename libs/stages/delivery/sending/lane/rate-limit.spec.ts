import { jest } from '@jest/globals';
import { RateLimit } from './rate-limit.ts';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

/** How many begin in ten seconds by timers that are up to `lateMs` late, once the first have begun. */
function begunIn10s(perSecond: number, lateMs: number): number {
  const limit = new RateLimit();
  limit.set(perSecond);
  let begun = 0;
  const go = (): void => {
    for (; limit.isOpen; begun++) limit.took();
    limit.wait(go);
  };
  go();
  jest.advanceTimersByTime(500);
  begun = 0;
  for (let elapsed = 0, step = 1; elapsed < 10_000; elapsed += step) {
    step = Math.min(1 + ((elapsed * 7) % Math.max(lateMs, 1)), 10_000 - elapsed);
    jest.advanceTimersByTime(step);
  }
  limit.close();
  return begun;
}

test.each([
  [1, 0],
  [10, 0],
  [100, 100],
  [1_000, 100],
  [10_000, 100],
])('%d a second begin at that rate over 10 s, with timers up to %d ms late', (perSecond, lateMs) => {
  const begun = begunIn10s(perSecond, lateMs);
  expect(begun).toBeGreaterThanOrEqual(perSecond * 10 * 0.98 - 1);
  expect(begun).toBeLessThanOrEqual(perSecond * 10 * 1.02 + 1);
});

test('after a rest no more than a fiftieth of ten seconds begin at once', () => {
  const limit = new RateLimit();
  limit.set(1_000);
  jest.advanceTimersByTime(60_000);
  let begun = 0;
  for (; limit.isOpen; begun++) limit.took();
  expect(begun).toBeLessThanOrEqual(200);
});

test('without a rate all begin at once, and a new rate holds from the next one on', () => {
  const limit = new RateLimit();
  for (let n = 0; n < 1_000; n++) limit.took();
  expect(limit.isOpen).toBe(true);
  limit.set(1);
  for (; limit.isOpen;) limit.took();
  limit.set(1_000);
  jest.advanceTimersByTime(1);
  expect(limit.isOpen).toBe(true);
});
