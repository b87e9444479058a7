import { isHigher, isSemver } from './semver.ts';

/** Lowest first (semver.org, 11). */
const rising = [
  '0.0.1',
  '0.0.2',
  '0.1.0',
  '0.2.0',
  '0.10.0',
  '1.0.0-alpha',
  '1.0.0-alpha.1',
  '1.0.0-alpha.beta',
  '1.0.0-beta',
  '1.0.0-beta.2',
  '1.0.0-beta.11',
  '1.0.0-rc.1',
  '1.0.0',
  '2.0.0',
  '2.1.0',
  '2.1.1',
  '2.1.99999999999999999998',
  '2.1.99999999999999999999',
];

test.each(rising.flatMap((one, i) => rising.map((other, j) => [one, other, i > j] as const)))(
  '%s is higher than %s: %s',
  (one, other, higher) => {
    expect(isHigher(one, other)).toBe(higher);
  },
);

test.each(['1.0.0+build.1', '1.2.3-x.7.z.92', '0.0.1'])('%s is a version', (text) => {
  expect(isSemver(text)).toBe(true);
});

test.each(['', '1', '1.0', 'v1.0.0', '01.0.0', '1.0.0-01', '1.0.0-', '1.0.0 ', 'latest', `1.0.0-${'a'.repeat(100)}`])(
  '"%s" is not a version',
  (text) => {
    expect(isSemver(text)).toBe(false);
    expect(isHigher(text, '0.0.1')).toBe(false);
  },
);

test('build metadata is not compared', () => {
  expect(isHigher('1.0.0+2', '1.0.0+1')).toBe(false);
});
