import { cutNote, rateOf } from './arguments.ts';

test('a rate outside the limits of the service is refused', () => {
  expect(['1', '10000'].map(rateOf)).toEqual([1, 10_000]);
  for (const text of ['0', '10001', '1.5', '', 'all'])
    expect(() => rateOf(text)).toThrow('It must be a whole number from 1 to 10000.');
});

test('below a cut list a note says how to see the rest, if that is possible', () => {
  expect(cutNote(100, 1_509, 'sources')).toBe('100 of 1509 sources; -n 1509 shows all.');
  expect(cutNote(100, 12_000, 'sources')).toBe('100 of 12000 sources; -n shows 10000 at most.');
});
