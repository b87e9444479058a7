import { jest } from '@jest/globals';
import { Warnings } from './warnings.ts';

test('a flood of warnings is cut to ten a second, and the rest is counted', () => {
  let now = 0;
  const warn = jest.fn<(details: object, message: string) => void>();
  const warnings = new Warnings({ warn: warn as never }, () => now);
  for (let i = 0; i < 100; i++) warnings.warn({ i }, 'a run failed');
  expect(warn).toHaveBeenCalledTimes(10);

  now = 1_000;
  warnings.warn({ i: 100 }, 'a run failed');
  expect(warn.mock.calls.slice(10)).toEqual([
    [{ untold: 90 }, 'more such warnings were suppressed'],
    [{ i: 100 }, 'a run failed'],
  ]);
});
