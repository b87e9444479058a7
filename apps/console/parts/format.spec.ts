import {
  formatBytes,
  pluralize,
  formatDuration,
  fromTo,
  isolateBidi,
  oneLine,
  formatRelativeTime,
  shellQuote,
} from './format.ts';
import { foldedText, pathText } from './json/json-path.ts';

const now = 1_777_000_000_000;

test.each([
  [0, 'now'],
  [-59_999, '59 s ago'],
  [-3_599_000, '59 min ago'],
  [-47 * 3_600_000, '47 h ago'],
  [-49 * 3_600_000, '2 days ago'],
  [300_000, 'in 5 min'],
])('a time %d ms from now reads "%s"', (ms, text) => expect(formatRelativeTime(now + ms, now)).toBe(text));

test.each([
  [0.4, '< 1 ms'],
  [12.4, '12 ms'],
  [999.6, '1.0 s'],
  [1_234, '1.2 s'],
  [9_960, '10 s'],
  [59_600, '1 min 0 s'],
  [61_000, '1 min 1 s'],
  [119_700, '2 min 0 s'],
  [5_400_000, '1 h 30 min'],
  [7_190_000, '2 h 0 min'],
])('%d ms read "%s"', (ms, text) => expect(formatDuration(ms)).toBe(text));

test.each([
  [0, '0 B'],
  [1_023, '1023 B'],
  [2_458, '2.4 KiB'],
  [1_048_575, '1024 KiB'],
  [16_777_216, '16 MiB'],
])('%d bytes read "%s"', (number, text) => expect(formatBytes(number)).toBe(text));

test('two names keep their sides of the arrow, even if they are written from right to left', () =>
  expect(fromTo('مصدر', 'מקבל')).toBe('\u2068مصدر\u2069 → \u2068מקבל\u2069'));

test.each([
  ['Orders (EU)', 'Orders (EU)'],
  ['Orders 🧾', 'Orders 🧾'],
  ['txt.exe\u202e', '\u2068txt.exe\u202e\u2069'],
  ['\u2069\u202e', '\u2068\u202e\u2069'],
  ['\u2067open', '\u2068\u2067open\u2069\u2069'],
  ['a\u2029\u202e', '\u2068a \u202e\u2069'],
  [fromTo('מקור', 'B'), '\u2068\u2068מקור\u2069 → B\u2069'],
])('the direction that a name sets ends with it: %j', (name, shown) => expect(isolateBidi(name)).toBe(shown));

test('counts have a singular and separated thousands', () => {
  expect([pluralize(1, 'event'), pluralize(1_200, 'event')]).toEqual(['1 event', '1,200 events']);
});

test('an event is one line in a list, however long it is', () => {
  expect(oneLine({ a: 'b' })).toBe('{"a":"b"}');
  expect(oneLine('x'.repeat(500), 10)).toBe(`${'x'.repeat(10)}…`);
  expect(oneLine('🧾🧾', 3)).toBe('🧾\ufffd…');
});

test('text is quoted so that a shell cannot interpret it', () => {
  expect(shellQuote("it's; rm -rf /")).toBe(String.raw`'it'\''s; rm -rf /'`);
});

test('the path of a field in an event is written as JavaScript', () => {
  expect(pathText(['items', 0, 'first name', '__proto__'])).toBe('event.items[0]["first name"].__proto__');
});

test('a collapsed value says how many entries it holds', () => {
  expect([foldedText([1, 2]), foldedText({ a: 1 })]).toEqual(['[ 2 ]', '{ 1 }']);
});
