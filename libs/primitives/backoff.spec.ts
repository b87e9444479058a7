import { Backoff, backoffMs } from './backoff.ts';

test('doubles up to the longest wait, and starts again after a reset', () => {
  const backoff = new Backoff(50, 500);
  expect(Array.from({ length: 6 }, () => backoff.next())).toEqual([50, 100, 200, 400, 500, 500]);
  backoff.reset();
  expect(backoff.next()).toBe(50);
});

test('stays at the longest wait', () => {
  expect(backoffMs(50, 500, 10_000)).toBe(500);
});
