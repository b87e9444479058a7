import { retryAfterSeconds } from './retry-after.ts';

const now = Date.parse('Wed, 21 Oct 2026 07:28:00 GMT');

test.each([
  ['120', 120],
  [' 0 ', 0],
  ['Wed, 21 Oct 2026 07:29:30 GMT', 90],
  ['Wed, 21 Oct 2026 07:00:00 GMT', 0],
  ['99999999999', 1_000_000_000],
  ['9'.repeat(400), 1_000_000_000],
])('%j means %d seconds', (header, seconds) => {
  expect(retryAfterSeconds(header, now)).toBe(seconds);
});

test.each([undefined, '', 'soon', '-5', '1.5', 'Wednesday'])('%j is ignored', (header) => {
  expect(retryAfterSeconds(header, now)).toBeUndefined();
});
