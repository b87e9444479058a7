import { RateLimit } from './rate-limit.ts';

test('an attempt that was not sent after all gives its place to the next', () => {
  const limit = new RateLimit();
  limit.set(1);
  for (let n = 0; n < 100; n++) {
    limit.countAttempt();
    limit.uncountAttempt();
  }
  expect(limit.isOpen).toBe(true);
  limit.countAttempt();
  limit.countAttempt();
  expect(limit.isOpen).toBe(false);
});

/** Begins attempts as long as it can; returns how many. */
function openings(limit: RateLimit): number {
  let count = 0;
  for (; limit.isOpen && count < 100; count++) limit.countAttempt();
  return count;
}

test('setting the same rate again lets no attempt begin sooner', () => {
  const limit = new RateLimit();
  limit.set(2);
  let count = openings(limit);
  for (let n = 0; n < 1_000; n++) {
    limit.set(2);
    count += openings(limit);
  }
  expect(count).toBeLessThanOrEqual(2);
});

test('changing the rate to and fro lets no attempt begin sooner', () => {
  const limit = new RateLimit();
  limit.set(1);
  let count = openings(limit);
  for (let n = 0; n < 1_000; n++) {
    limit.set(n % 2 === 0 ? 2 : 1);
    count += openings(limit);
  }
  expect(count).toBeLessThanOrEqual(2);
});

test('the wait at a slow rate gets shorter when the rate is raised', () => {
  const limit = new RateLimit();
  limit.set(1);
  openings(limit);
  limit.set(10_000);
  expect(limit.isOpen).toBe(true);
});

test('attempts of one lane count for the other lanes of its webhook', () => {
  const limit = new RateLimit();
  limit.set(1);
  const other = new RateLimit(limit);
  openings(limit);
  expect(other.isOpen).toBe(false);
});
