import { RateLimit } from './rate-limit.ts';

test('an attempt that was not sent after all gives its place to the next', () => {
  const limit = new RateLimit();
  limit.set(1);
  for (let n = 0; n < 100; n++) {
    limit.took();
    limit.gave();
  }
  expect(limit.isOpen).toBe(true);
  limit.took();
  limit.took();
  expect(limit.isOpen).toBe(false);
});
