// What does not look like a time is refused: JavaScript itself finds a date in almost anything.
import { timeOf } from './times.ts';

test.each([
  ['2026-06-01T00:00Z', Date.UTC(2026, 5, 1)],
  ['2026-06-01T02:00:00.250+02:00', Date.UTC(2026, 5, 1) + 250],
  ['2026-06-01', Date.UTC(2026, 5, 1)],
  ['2026-06', Date.UTC(2026, 5, 1)],
  ['2026-06-01 10:30', new Date(2026, 5, 1, 10, 30).getTime()],
])('%s is a time', (text, time) => {
  expect(timeOf(text)).toBe(time);
});

test.each(['12', '5', '2026', '100', 'order 5', 'June 1 2026', '2026-13-01', '2026-06-01T25:00Z', '24', ''])(
  '"%s" is none',
  (text) => {
    expect(() => timeOf(text)).toThrow('It must be a time');
  },
);
