import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { noteServiceDate, serviceNowMs } from './service-clock.ts';

const browserNowMs = Date.UTC(2026, 10, 23, 5);
beforeEach(() => {
  jest.useFakeTimers({ now: browserNowMs });
});
afterEach(() => {
  jest.useRealTimers();
});

test.each([
  ['Mon, 23 Nov 2026 07:00:00 GMT', 7_200_000],
  ['Mon, 23 Nov 2026 03:00:00 GMT', -7_200_000],
  ['Mon, 23 Nov 2026 05:00:29 GMT', 0],
  ['Mon, 23 Nov 2026 04:59:31 GMT', 0],
])('an answer of %s puts the clock %d ms ahead of that of the browser', (date, aheadMs) => {
  noteServiceDate(date);
  expect(serviceNowMs()).toBe(browserNowMs + aheadMs);
});

test.each([null, '', 'yesterday'])('an answer whose date is %j changes nothing', (date) => {
  noteServiceDate('Mon, 23 Nov 2026 07:00:00 GMT');
  noteServiceDate(date);
  expect(serviceNowMs()).toBe(browserNowMs + 7_200_000);
});
