import { rawFileUrl } from './github-file-url.ts';

test.each([
  ['https://github.com/o/r/blob/main/a.js', 'https://raw.githubusercontent.com/o/r/main/a.js'],
  ['https://www.github.com/o/r/blob/v1/b/c.mjs?plain=1#L3', 'https://raw.githubusercontent.com/o/r/v1/b/c.mjs'],
])('the GitHub page of a file gives the URL of the raw file: %s', (page, file) => {
  expect(rawFileUrl(page)).toBe(file);
});

test.each([
  'https://raw.githubusercontent.com/o/r/main/a.js',
  'https://github.com/o/r/blob/main',
  'https://github.com/o/r/tree/main/a.js',
  'https://github.com.example.com/o/r/blob/main/a.js',
  'https://example.com/o/r/blob/main/a.js?x=1',
])('any other URL is unchanged: %s', (url) => {
  expect(rawFileUrl(url)).toBe(url);
});
