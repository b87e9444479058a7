import { endOf, fieldsOf, hourOf, hoursShown, localField, timeAt } from './replay-range.ts';

const hourMs = 3_600_000;
const endMs = endOf(Date.parse('2026-06-01T12:34:56Z'));

test('the slider covers a week, up to the end of the current hour', () => {
  expect(new Date(endMs).toISOString()).toBe('2026-06-01T13:00:00.000Z');
  expect(timeAt(hoursShown, endMs) - timeAt(0, endMs)).toBe(7 * 24 * hourMs);
});

test('the ends of the slider give empty fields, and empty fields move it to its ends', () => {
  expect(fieldsOf([0, hoursShown], endMs)).toEqual({ from: '', to: '' });
  expect([hourOf('', endMs, 0), hourOf('', endMs, hoursShown)]).toEqual([0, hoursShown]);
});

test('a position between the ends is the same in the fields', () => {
  const { from, to } = fieldsOf([10, 20], endMs);
  expect([Date.parse(from), Date.parse(to)]).toEqual([timeAt(10, endMs), timeAt(20, endMs)]);
  expect([hourOf(from, endMs, 0), hourOf(to, endMs, hoursShown)]).toEqual([10, 20]);
});

test('each hour is distinct, even when clocks are set back, and the field shows it in the zone of the reader', () => {
  const { from } = fieldsOf([10, 20], endMs);
  expect(from).toBe('2026-05-25T23:00:00.000Z');
  expect(Date.parse(localField(from))).toBe(Date.parse(from));
  expect(localField('2026-05-25T23:05')).toBe('2026-05-25T23:05');
});

test('a time outside the range is shown at the nearest end', () => {
  expect(hourOf('2020-01-01T00:00', endMs, 5)).toBe(0);
  expect(hourOf('2030-01-01T00:00', endMs, 5)).toBe(hoursShown);
});
