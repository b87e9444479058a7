import { jest } from '@jest/globals';
import { resolvesInTime, within, withinOr } from './time-limit.ts';

const maxMs = 100;
const never = new Promise<never>(() => {});

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

/** Advances the time, and lets promises that wait for it settle. */
const pass = (ms: number): Promise<void> => jest.advanceTimersByTimeAsync(ms);

test('gives a result that comes in time, and leaves no timer behind', async () => {
  expect(await within(Promise.resolve('it'), maxMs, 'this')).toBe('it');
  expect(await withinOr(Promise.resolve('it'), maxMs, 'else')).toBe('it');
  expect(await resolvesInTime(Promise.resolve(undefined), maxMs)).toBe(true);
  expect(jest.getTimerCount()).toBe(0);
});

test('does not wait for a result that does not come', async () => {
  const outcomes = Promise.allSettled([
    within(never, maxMs, 'this'),
    withinOr(never, maxMs, 'else'),
    resolvesInTime(never, maxMs),
  ]);
  let over = false;
  void outcomes.then(() => (over = true));
  await pass(maxMs - 1);
  expect(over).toBe(false);
  await pass(1);
  expect(await outcomes).toMatchObject([
    { reason: { name: 'TimeLimitExceeded', message: 'this took longer than 100 ms' } },
    { value: 'else' },
    { value: false },
  ]);
});

test('rejects as the work does, and ignores a failure that comes too late', async () => {
  const failed = Promise.reject(new Error('no'));
  for (const outcome of [within(failed, maxMs, 'this'), withinOr(failed, maxMs, 'else'), resolvesInTime(failed, maxMs)])
    await expect(outcome).rejects.toThrow('no');
  expect(jest.getTimerCount()).toBe(0);
  const late = Promise.withResolvers<never>();
  const outcome = withinOr(late.promise, maxMs, 'else');
  await pass(maxMs);
  late.reject(new Error('too late'));
  expect(await outcome).toBe('else');
});
