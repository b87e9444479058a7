import { formatDuration, formatRelativeTime } from './times.ts';

const now = 1_777_000_000_000;

test.each([
  [0, 'now'],
  [-999, 'now'],
  [-59_000, '59 s ago'],
  [-3_599_000, '59 min ago'],
  [-86_399_000, '23 h ago'],
  [-86_400_000, '1 day ago'],
  [-200_000_000, '2 days ago'],
  [120_000, 'in 2 min'],
])('a time %d ms from now is shown as %j', (distance, text) => {
  expect(formatRelativeTime(now + distance, now)).toBe(text);
});

test.each([
  [0.4, '0 ms'],
  [850, '850 ms'],
  [999.6, '1 s'],
  [1_540, '1.5 s'],
  [59_949, '59.9 s'],
  [59_960, '1 min 0 s'],
  [119_700, '2 min 0 s'],
  [125_000, '2 min 5 s'],
])('a duration of %d ms is shown as %j', (ms, text) => {
  expect(formatDuration(ms)).toBe(text);
});
