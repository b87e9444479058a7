import fc from 'fast-check';
import { decideAfterAttempt, type AttemptResult } from './retry.ts';

const failed = (attempt: number, more: Partial<AttemptResult> = {}): AttemptResult => ({
  attempt,
  status: 500,
  timedOut: false,
  ...more,
});
const middle = 0.5;
const waitOf = (result: AttemptResult, schedule: readonly number[] | null = null, random = middle): number => {
  const verdict = decideAfterAttempt(result, schedule, random);
  if (verdict.kind !== 'retry') throw new Error(`expected a retry, got ${verdict.kind}`);
  return verdict.waitMs;
};

test('every 2xx counts as delivered, a redirect does not', () => {
  for (const status of [200, 201, 204, 299])
    expect(decideAfterAttempt(failed(1, { status }), null, middle).kind).toBe('delivered');
  for (const status of [199, 301, 302, 307, 400, 500]) {
    expect(decideAfterAttempt(failed(1, { status }), null, middle).kind).toBe('retry');
  }
});

test('the default schedule makes ten attempts in 75 h 35 min and 5 s, then parks', () => {
  const waits = Array.from({ length: 9 }, (_, i) => waitOf(failed(i + 1)));
  expect(waits.map((ms) => ms / 1000)).toEqual([5, 300, 1800, 7200, 18000, 36000, 50400, 72000, 86400]);
  expect(decideAfterAttempt(failed(10), null, middle)).toEqual({ kind: 'park', reason: 'attempts_exhausted' });
});

test('a schedule of the webhook replaces the waits, and its length is the number of retries', () => {
  expect(waitOf(failed(1), [1, 30])).toBe(1000);
  expect(waitOf(failed(2), [1, 30])).toBe(30_000);
  expect(decideAfterAttempt(failed(3), [1, 30], middle).kind).toBe('park');
  expect(decideAfterAttempt(failed(1), [], middle).kind).toBe('park');
});

test.each([429, 502, 503, 504])('after status %d the default schedule waits at least a minute', (status) => {
  expect(waitOf(failed(1, { status }))).toBe(60_000);
  expect(waitOf(failed(2, { status }))).toBe(300_000);
});

test('after a timeout the default schedule waits at least a minute, an explicit schedule is used as given', () => {
  const timeout = failed(1, { status: null, timedOut: true });
  expect(waitOf(timeout)).toBe(60_000);
  expect(waitOf(timeout, [1])).toBe(1000);
});

test('Retry-After is honoured up to 24 h and never shortens a wait', () => {
  expect(waitOf(failed(1, { retryAfterSeconds: 90 }))).toBe(90_000);
  expect(waitOf(failed(1, { retryAfterSeconds: 1_000_000 }))).toBe(86_400_000);
  expect(waitOf(failed(2, { retryAfterSeconds: 1 }))).toBe(300_000);
  expect(waitOf(failed(1, { retryAfterSeconds: -5 }))).toBe(5000);
});

test('status 410 parks at once with the reason gone', () => {
  expect(decideAfterAttempt(failed(1, { status: 410 }), null, middle)).toEqual({ kind: 'park', reason: 'gone' });
});

test('the jitter stays within a fifth to either side', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 9 }), fc.double({ min: 0, max: 1, noNaN: true }), (attempt, random) => {
      const exact = waitOf(failed(attempt));
      const wait = waitOf(failed(attempt), null, random);
      expect(wait).toBeGreaterThanOrEqual(Math.floor(exact * 0.8));
      expect(wait).toBeLessThanOrEqual(Math.ceil(exact * 1.2));
    }),
  );
});
