import { truncateText } from './truncate-text.ts';

test.each([
  ['abc', 2, 'ab'],
  ['abc', 5, 'abc'],
  ['a\u{1F600}b', 2, 'a'],
  ['a\u{1F600}b', 3, 'a\u{1F600}'],
  ['\u{1F600}', 1, ''],
])('%j is cut at %i without half a character', (text, units, cut) => {
  expect(truncateText(text, units)).toBe(cut);
});
