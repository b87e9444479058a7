import fc from 'fast-check';
import { diffOf } from './line-diff.ts';
import type { DiffLine, Gap } from './line-diff.ts';

const lineText = (line: DiffLine | Gap): string => {
  if (line.kind === 'gap') return `… ${line.lines}`;
  return `${{ same: ' ', added: '+', removed: '-' }[line.kind]}${line.text}`;
};
const text = (lines: readonly string[]): string => lines.join('\n');

test('a changed line is shown as removed and added, with the lines around it', () => {
  const before = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i'];
  const after = before.with(4, 'E');
  expect(diffOf(text(before), text(after)).map(lineText)).toEqual([
    '… 1',
    ' b',
    ' c',
    ' d',
    '-e',
    '+E',
    ' f',
    ' g',
    ' h',
    '… 1',
  ]);
});

test('equal texts show no change', () => {
  expect(diffOf('a\nb', 'a\nb').map(lineText)).toEqual(['… 2']);
});

test('a moved line is shown as removed and added, and the others as unchanged', () => {
  expect(diffOf('a\nb\nc', 'b\nc\na').map(lineText)).toEqual(['-a', ' b', ' c', '+a']);
});

test('long texts with too little in common are shown as replaced as a whole', () => {
  const many = (word: string): string => text(Array.from({ length: 3_000 }, (_, n) => `${word} ${n}`));
  const lines = diffOf(many('old'), many('new'));
  expect([lines.length, lines[0]?.kind, lines.at(-1)?.kind]).toEqual([6_000, 'removed', 'added']);
});

test('for any two texts, a diff contains the old text without added lines, the new without removed ones', () => {
  const line = fc.constantFrom('a', 'b', 'c', '');
  fc.assert(
    fc.property(fc.array(line, { maxLength: 7 }), fc.array(line, { maxLength: 7 }), (before, after) => {
      const lines = diffOf(text(before), text(after));
      fc.pre(!lines.some(({ kind }) => kind === 'gap'));
      const side = (other: string): readonly string[] =>
        lines.flatMap((one) => (one.kind === 'gap' || one.kind === other ? [] : [one.text]));
      expect([text(side('added')), text(side('removed'))]).toEqual([text(before), text(after)]);
    }),
  );
});
