import fc from 'fast-check';
import { findJsonFault, inputValuesMax } from './json-scan.ts';

const why = (text: string): string | undefined => findJsonFault(text)?.why;
const lists = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);
const objects = (levels: number): string => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;

test.each([
  ['64 lists', lists(64), undefined],
  ['65 lists', lists(65), 'it is nested deeper than 64 levels'],
  ['64 objects', objects(64), undefined],
  ['65 objects', objects(65), 'it is nested deeper than 64 levels'],
  ['lists that are never closed', '['.repeat(100_000), 'it is nested deeper than 64 levels'],
  ['many shallow lists side by side', `[${Array.from({ length: 5_000 }, () => '[[]]').join()}]`, undefined],
])('checks the depth of %s', (_name, text, expected) => {
  expect(why(text)).toBe(expected);
});

test('counts containers and texts as values, but not names', () => {
  const most = inputValuesMax - 1;
  for (const value of ['0', '""', '{}', '[]', 'null']) {
    expect(why(`[${`${value},`.repeat(most - 1)}${value}]`)).toBeUndefined();
    expect(why(`[${`${value},`.repeat(most)}${value}]`)).toBe('it holds more than 20000 values');
  }
  const named = (count: number): string => `{${Array.from({ length: count }, (_, at) => `"${at}":0`).join()}}`;
  expect(why(named(most))).toBeUndefined();
  expect(why(named(most + 1))).toBe('it holds more than 20000 values');
});

test.each([
  ['{"a":1,"a":2}', 'a', 'the name "a" occurs twice in one object'],
  ['{"a":1,"b":2,"\\u0061":2}', 'a', 'the name "a" occurs twice in one object'],
  ['{"":1,"":2}', '', 'the name "" occurs twice in one object'],
  ['{"o":{"x":[{"y":1,"y":1}]}}', 'o', 'the name "y" occurs twice in one object'],
  ['{"first":1,"o":{"__proto__":1}}', 'o', 'the name __proto__ is not allowed'],
  ['{"\\u005f_proto__":1}', '__proto__', 'the name __proto__ is not allowed'],
  ['{"a":"\\u0000"}', 'a', 'a text holds the character NUL'],
  ['{"a":"\\ud800"}', 'a', 'a text is not well-formed Unicode'],
  ['{"a":"\\uD800\\u0041"}', 'a', 'a text is not well-formed Unicode'],
  ['{"a":"\\udc00"}', 'a', 'a text is not well-formed Unicode'],
  ['["\\ud800x"]', undefined, 'a text is not well-formed Unicode'],
  ['{"a":1e400}', 'a', 'a number is beyond 1.8e308, the range of JSON numbers'],
  ['{"a":[0,-1.5E+309]}', 'a', 'a number is beyond 1.8e308, the range of JSON numbers'],
])('refuses %s and names the field %s', (text, field, expected) => {
  expect(findJsonFault(text)).toEqual({ why: expected, field });
});

test('refuses a number of so many digits that it is out of range', () => {
  expect(why(`[${'9'.repeat(308)}]`)).toBeUndefined();
  expect(why(`[${'9'.repeat(309)}]`)).toBe('a number is beyond 1.8e308, the range of JSON numbers');
  expect(why(`[-${'9'.repeat(309)}.5]`)).toBe('a number is beyond 1.8e308, the range of JSON numbers');
});

test('shortens a long name in the message', () => {
  const name = 'n'.repeat(10_000);
  expect(why(`{"${name}":1,"${name}":2}`)?.length).toBeLessThan(200);
});

test('an enclosing field takes a level and is the one named', () => {
  expect(findJsonFault(lists(63), { levels: 1, field: 'configured_props' })).toBeUndefined();
  expect(findJsonFault(lists(64), { levels: 1, field: 'configured_props' })).toEqual({
    why: 'it is nested deeper than 64 levels',
    field: 'configured_props',
  });
});

test.each([
  '{"a":1}',
  '{"a":{"a":{"a":1}},"b":[{"a":1},{"a":1}]}',
  '"\\ud83d\\ude00 \\n \\" \\\\"',
  '{"constructor":1}',
  '{"a\\"b":1,"a":2}',
  '["a","a"]',
  '{"x":"a","a":"x"}',
  ' \t\r\n[ 1 , -2.5e3 , true ] ',
  '[1.7976931348623157e308,-1E308,1e-400,false]',
])('accepts %s', (text) => {
  expect(why(text)).toBeUndefined();
});

test.each([
  '',
  ' ',
  '}',
  ']]',
  '[}',
  '{]',
  '{"a":1]',
  '"',
  '"\\',
  '"\\u',
  '"\\u12',
  '"\\uzzzz"',
  '"a\nb"',
  '{"a"b":1}',
  '{"\\x":1,"\\x":1}',
  'nope',
  ',,,',
  ':::',
  '{}{}',
  '1e400x',
  '\0',
])('leaves the invalid JSON %j to the parser', (text) => {
  expect(why(text)).toBeUndefined();
  expect(() => JSON.parse(text) as unknown).toThrow();
});

test('never refuses JSON within the limits, however it is formatted', () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 5 }), fc.nat(4), (text, indent) => {
      const value = JSON.parse(text) as unknown;
      fc.pre(!text.includes('__proto__') && !/\\u0000/i.test(JSON.stringify(value)));
      const written = JSON.stringify(value, null, indent);
      fc.pre(!/\\ud[89a-f]/i.test(written));
      expect(findJsonFault(written)).toBeUndefined();
    }),
  );
});

test('always finds a repeated name in an object, and never reports a unique one', () => {
  const names = fc.array(fc.string({ maxLength: 2, unit: 'binary' }), { maxLength: 8 });
  fc.assert(
    fc.property(names, (given) => {
      fc.pre(given.every((name) => name.isWellFormed() && !name.includes('\0')));
      const text = `{${given.map((name) => `${JSON.stringify(name)}:[{}]`).join()}}`;
      const twice = new Set(given).size < given.length;
      expect(findJsonFault(text)?.why.includes('occurs twice') ?? false).toBe(twice);
    }),
  );
});

const KiB = 1024;
const filled = (unit: string, bytes: number): string => unit.repeat(Math.ceil(bytes / unit.length)).slice(0, bytes);
const hostile = (bytes: number): readonly string[] => [
  ...['[', '{"a":', ']', '0,', '"a":1,', ' ', 'x', '\\', '"', '{}', '""'].map((unit) => filled(unit, bytes)),
  ...['\\u0041', '\\"', '\\\\', '\\ud83d\\ude00', 'é', '中'].map((unit) => `"${filled(unit, bytes - 2)}"`),
  `{"${filled('\\n', bytes - 6)}":1}`,
  `[${filled('0,', bytes - 3)}0]`,
  `[${filled('1e9,', bytes - 3)}0]`,
  `[${filled(`${'1'.repeat(308)}e,`, bytes - 3)}0]`,
  filled('1', bytes),
  `0.${filled('1', bytes - 4)}e1`,
  `{${filled('"":0,', bytes - 6)}"":0}`,
  `{${Array.from({ length: bytes / 9 }, (_, at) => `"${at.toString(36)}":0`).join()}}`,
  `{${Array.from({ length: bytes / 12 }, (_, at) => `"\\u0041${at.toString(36)}":0`).join()}}`,
  `[${filled(`${lists(60)},`, bytes - 3)}0]`,
];

/**
 * The processor time of this thread for the slowest text. Its clock ticks every 4 ms. Others on the same processor make
 * even this time longer, so the best of three rounds counts.
 */
function slowestMs(texts: readonly string[], repeated: number): number {
  const roundMs = (text: string): number => {
    const before = process.threadCpuUsage();
    for (let time = 0; time < repeated; time++) findJsonFault(text);
    const { user, system } = process.threadCpuUsage(before);
    return (user + system) / 1_000 / repeated;
  };
  return Math.max(...texts.map((text) => Math.min(roundMs(text), roundMs(text), roundMs(text))));
}

test('scans any 64 KiB within the 20 ms that the main thread may be blocked', () => {
  expect(slowestMs(hostile(64 * KiB), 20)).toBeLessThan(20);
});

test('scans any 2 MiB in proportionate time', () => {
  expect(slowestMs(hostile(2_048 * KiB), 2)).toBeLessThan(32 * 20);
});
