import { programUrl } from './program-file.ts';

test.each([
  ['file:///a/libs/thread-owner.ts', './thread', 'file:///a/libs/thread.ts'],
  ['file:///a/dist/libs/thread-owner.js', './process/main', 'file:///a/dist/libs/process/main.js'],
])('the program that %s starts has the same language: %s', (from, path, expected) => {
  expect(programUrl(from, path).href).toBe(expected);
});
