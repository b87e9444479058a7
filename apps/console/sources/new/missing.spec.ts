import { missingMessageOf } from './missing.ts';

test('an empty key, URL or code is asked for', () => {
  expect(missingMessageOf('component', ' ')).toBe('Give a key');
  expect(missingMessageOf('url', '')).toBe('Give the URL of the code');
  expect(missingMessageOf('code', '\n')).toBe('Write the code');
});

test('a key that is `.` or `..`, which would be another address, is asked for again', () => {
  expect([missingMessageOf('component', '.'), missingMessageOf('component', '..')]).toEqual([
    'Give a key',
    'Give a key',
  ]);
});

test('nothing is missing where something is given, or nothing is needed', () => {
  expect(missingMessageOf('component', 'gitlab-new-issue')).toBeUndefined();
  expect(missingMessageOf('url', 'https://a.b/c.js')).toBeUndefined();
  expect(missingMessageOf('channel', '')).toBeUndefined();
});
