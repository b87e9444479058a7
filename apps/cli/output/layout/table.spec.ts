import { table } from './table.ts';

interface Row {
  readonly id: string;
  readonly name: string | null;
}

const columns = [
  { title: 'ID', value: ({ id }: Row) => id, isNeverCut: true as const },
  { title: 'NAME', value: ({ name }: Row) => name },
];

const render = (rows: readonly Row[], lineChars?: number): readonly string[] =>
  table(rows, columns, { lineChars }).split('\n');

test('columns are as wide as their widest cell, also in scripts of double width', () => {
  const rows = [
    { id: '注文', name: 'Orders' },
    { id: 'abcde', name: null },
  ];
  expect(render(rows)).toEqual(['ID     NAME', '注文   Orders', 'abcde  -']);
});

test('lines are cut at the width of the terminal, and not cut when the width is unknown', () => {
  const rows = [{ id: 'a', name: 'a name that is long' }];
  expect(render(rows, 11)).toEqual(['ID  NAME', 'a   a name…']);
  expect(render(rows)).toEqual(['ID  NAME', 'a   a name that is long']);
});

test('colours do not shift columns, and line breaks and control characters in a cell are made harmless', () => {
  const painted = [
    { ...columns[0], title: 'ID', value: ({ id }: Row) => id, paint: (text: string) => `<${text}>` },
    columns[1],
  ];
  const rows = [{ id: 'a', name: 'two\nlines \u001b[2J' }];
  expect(table(rows, painted as typeof columns, {}).split('\n')).toEqual(['ID  NAME', '<a>   two lines \\u001b[2J']);
});

test('a long text is cut so that the columns after it are visible; an id is never cut', () => {
  const withState = [...columns, { title: 'STATE', value: () => 'active' }];
  const rows = [
    { id: 'dc_0123456789abcdef', name: 'a'.repeat(100) },
    { id: 'dc_1', name: 'short' },
  ];
  expect(table(rows, withState, { lineChars: 40 }).split('\n')).toEqual([
    'ID                   NAME         STATE',
    'dc_0123456789abcdef  aaaaaaaaaa…  active',
    'dc_1                 short        active',
  ]);
  expect(table(rows, withState, { lineChars: 10 }).split('\n')[1]).toMatch(/^dc_0123456789abcdef\b/);
});

test('a narrow terminal gets no spare columns, the last of which goes first, before texts are hard to read', () => {
  const time = '2026-11-27 11:37:00';
  const spare = [
    ...columns,
    { title: 'COUNT', value: () => 12, isOptional: true as const },
    { title: 'LAST', value: () => time, isNeverCut: true as const },
    { title: 'URL', value: () => 'http://127.0.0.1:3000/x', isNeverCut: true as const, isOptional: true as const },
  ];
  const rows = [{ id: 'dc_0123456789abcdef', name: 'Orders of the northern shop' }];
  const headsAt = (lineChars: number): string | undefined => table(rows, spare, { lineChars }).split('\n')[0];
  expect(headsAt(100)?.split(/ +/)).toEqual(['ID', 'NAME', 'COUNT', 'LAST', 'URL']);
  expect(headsAt(80)?.split(/ +/)).toEqual(['ID', 'NAME', 'COUNT', 'LAST']);
  expect(headsAt(65)?.split(/ +/)).toEqual(['ID', 'NAME', 'LAST']);
  expect(table(rows, spare, { lineChars: 55 }).split('\n')[1]).toBe(`dc_0123456789abcdef  Orders of th…  ${time}`);
});

test('the tail after a text stays complete when the text is cut', () => {
  const namedColumns = [
    columns[0],
    { ...columns[1], tail: ({ id }: Row) => `(${id}-1)` },
    { title: 'STATE', value: () => 'active' },
  ] as typeof columns;
  const rows = [{ id: 'a', name: 'a name that is long' }];
  expect(table(rows, namedColumns, { lineChars: 27 }).split('\n')).toEqual([
    'ID  NAME             STATE',
    'a   a name t… (a-1)  active',
  ]);
});
