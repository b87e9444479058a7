import fc from 'fast-check';
import { millisMax } from '../message.ts';
import { isoTime } from './iso-time.ts';

test('a time is written as a Date writes it, whatever was written before', () => {
  const near = fc.integer({ min: 1_777_000_000_000, max: 1_777_000_003_000 });
  const anywhere = fc.integer({ min: -millisMax, max: millisMax });
  fc.assert(
    fc.property(fc.array(fc.oneof(near, anywhere)), (times) => {
      expect(times.map(isoTime)).toEqual(times.map((at) => new Date(at).toISOString()));
    }),
  );
  for (const at of [-1, 0, 999, -millisMax, millisMax, 1.5]) expect(isoTime(at)).toBe(new Date(at).toISOString());
});

test('an invalid time throws, as with a Date', () => {
  isoTime(0);
  for (const at of [NaN, Infinity, millisMax + 1]) expect(() => isoTime(at)).toThrow(RangeError);
  expect(isoTime(1)).toBe('1970-01-01T00:00:00.001Z');
});
