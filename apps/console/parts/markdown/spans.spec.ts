import { spansOf } from './spans.ts';

test.each([
  ['plain text', [{ kind: 'text', text: 'plain text' }]],
  ['', []],
  [
    'a **bold**, _slanted_ and *slanted* `word`',
    [
      { kind: 'text', text: 'a ' },
      { kind: 'strong', text: 'bold' },
      { kind: 'text', text: ', ' },
      { kind: 'em', text: 'slanted' },
      { kind: 'text', text: ' and ' },
      { kind: 'em', text: 'slanted' },
      { kind: 'text', text: ' ' },
      { kind: 'code', text: 'word' },
    ],
  ],
  [
    '[See the docs](https://a.b/c?d=1#e).',
    [
      { kind: 'link', text: 'See the docs', href: 'https://a.b/c?d=1#e' },
      { kind: 'text', text: '.' },
    ],
  ],
  [
    'Look at https://a.b/c.',
    [
      { kind: 'text', text: 'Look at ' },
      { kind: 'link', text: 'https://a.b/c', href: 'https://a.b/c' },
      { kind: 'text', text: '.' },
    ],
  ],
])('%j is read as its spans', (text, spans) => expect(spansOf(text)).toEqual(spans));

test.each(['[run](javascript:alert(1))', '[mail](mailto:a@b)', 'snake_case_name', '2 * 3 * 4', '<b>x</b>', '**', '`'])(
  '%j stays text',
  (text) => expect(spansOf(text)).toEqual([{ kind: 'text', text }]),
);

test.each(['[', '*', '_', '`', '**', '[a](', 'https://', ' _a'])('a long text of %j is read quickly', (part) => {
  const before = performance.now();
  spansOf(part.repeat(Math.floor(20_000 / part.length)));
  expect(performance.now() - before).toBeLessThan(500);
});
