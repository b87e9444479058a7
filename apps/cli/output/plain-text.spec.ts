import { plainJson, plainLine, plainPainted, plainText } from './plain-text.ts';
import { styleFor } from './style.ts';

test('control characters are shown instead of sent to the terminal', () => {
  expect(plainText('a\u001b]0;title\u0007b\u009b31m\u202ec')).toBe('a\\u001b]0;title\\u0007b\\u009b31m\\u202ec');
  expect(plainText('one\r\ntwo\tthree\rfour')).toBe('one\ntwo\tthree\\u000dfour');
});

test('a line stays a single line', () => {
  expect(plainLine(' one\n  two\t')).toBe('one two');
});

test('JSON parses to the same value', () => {
  const value = { text: '\u009b31m \u202e "é"' };
  expect(plainJson(value)).not.toMatch(/[\u0080-\u009f\u202e]/);
  expect(JSON.parse(plainJson(value))).toEqual(value);
  expect(plainJson({ a: [1] }, 2)).toBe('{\n  "a": [\n    1\n  ]\n}');
});

test('a coloured text keeps its colours', () => {
  const painted = styleFor(true).name('a\u001b[5mb');
  expect(plainPainted(`${painted}\r\n\u001b[36;5mc`)).toBe('\u001b[36ma\\u001b[5mb\u001b[39m\n\\u001b[36;5mc');
});
