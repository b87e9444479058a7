import { sizes } from '../sizes.ts';
import { boundedConsole, describeError } from './bounded-output.ts';
import type { ConsoleLine } from './output.ts';

const line = (text: string, at = 1): ConsoleLine => ({ level: 'log', text, at });
const mark = (at = 1): ConsoleLine => ({
  level: 'warn',
  text: `[cut: a run keeps ${sizes.consoleBytes} bytes of console]`,
  at,
});
const bytesOf = (lines: readonly ConsoleLine[]): number => Buffer.byteLength(JSON.stringify(lines));

test('a console that fits stays as it is', () => {
  const lines = [line('first', 1), line('x'.repeat(200_000), 2)];
  expect(boundedConsole(lines)).toBe(lines);
});

test('of a line that is too long the beginning is kept, with the lines before it and a mark', () => {
  const bounded = boundedConsole([line('first', 1), line('x'.repeat(sizes.consoleBytes), 2), line('after', 3)]);
  expect(bounded.map(({ text }) => text.slice(0, 5))).toEqual(['first', 'xxxxx', '[cut:']);
  expect(bounded.at(-1)).toEqual(mark(2));
});

test.each([
  ['letters', 'x'],
  ['quotes', '"'],
  ['control characters', '\x01'],
  ['umlauts', 'ä'],
  ['pairs of surrogates', '😀'],
  ['halves of surrogates', '\ud83d'],
])('a line of nothing but %s fills the bound and never exceeds it', (_name, unit) => {
  const bounded = boundedConsole([line(unit.repeat(300_000))]);
  expect(bounded).toEqual([line(expect.any(String) as never), mark()]);
  expect(bytesOf(bounded)).toBeLessThanOrEqual(sizes.consoleBytes);
  expect(bytesOf(bounded)).toBeGreaterThan(sizes.consoleBytes - 128);
});

test('a character is never cut in half', () => {
  for (const before of ['', 'x', 'xx', 'xxx']) {
    const [first] = boundedConsole([line(before + '😀'.repeat(100_000))]);
    expect(first?.text.isWellFormed()).toBe(true);
  }
});

test('a console that was cut before is cut at the same place when more lines come', () => {
  const once = boundedConsole([line('x'.repeat(100_000)), line('y'.repeat(300_000))]);
  expect(boundedConsole([...once, line('more')])).toEqual(once);
  expect(boundedConsole(once)).toBe(once);
});

test('many short lines are bounded, too', () => {
  const bounded = boundedConsole(Array.from({ length: 50_000 }, () => line('')));
  expect(bounded.at(-1)).toEqual(mark());
  expect(bytesOf(bounded)).toBeLessThanOrEqual(sizes.consoleBytes);
});

test('the place of an error names the file where the component has several', () => {
  const thrown = (...frames: readonly string[]): string =>
    describeError({ name: 'Error', message: 'no', stack: ['Error: no', ...frames].join('\n'), line: 3, column: 4 });
  expect(thrown('    at f (component.js:3:4)')).toBe('Error: no (line 3, column 4)');
  expect(thrown('    at f (lib/b.mjs:3:4)', '    at run (a.mjs:1:82)')).toBe('Error: no (lib/b.mjs, line 3, column 4)');
  expect(thrown('    at async my lib (1)/b.mjs:3:4')).toBe('Error: no (my lib (1)/b.mjs, line 3, column 4)');
  expect(thrown('    at new B (my lib (1)/b.mjs:3:4)')).toBe('Error: no (my lib (1)/b.mjs, line 3, column 4)');
  for (const frames of [[], ['lib/b.mjs:3:4'], ['    at f (lib/b.mjs:33:4)'], [`    at ${'x'.repeat(201)}:3:4`]])
    expect(thrown(...frames)).toBe('Error: no (line 3, column 4)');
  expect(describeError({ name: 'Error', message: 'no', stack: 'Error: no' })).toBe('Error: no');
});
