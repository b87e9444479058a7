import { missingOf } from './missing.ts';

test('an empty key, URL or code is asked for', () => {
  expect(missingOf('component', ' ')).toBe('Give a key');
  expect(missingOf('url', '')).toBe('Give the URL of the code');
  expect(missingOf('code', '\n')).toBe('Write the code');
});

test('a key that is `.` or `..`, which would be another address, is asked for again', () => {
  expect([missingOf('component', '.'), missingOf('component', '..')]).toEqual(['Give a key', 'Give a key']);
});

test('nothing is missing where something is given, or nothing is needed', () => {
  expect(missingOf('component', 'gitlab-new-issue')).toBeUndefined();
  expect(missingOf('url', 'https://a.b/c.js')).toBeUndefined();
  expect(missingOf('channel', '')).toBeUndefined();
});
