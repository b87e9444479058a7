import type { Row } from './build-writer.ts';
import { packRows, unpackRows } from './packed-rows.ts';

const row: Row = { view: 'runs', id: 'run_1', version: 7, isNew: true, text: '{"a":1}', fields: ['dc_1', 5, ''] };

test('rows are unchanged after packing and unpacking', () => {
  const rows: readonly Row[] = [row, { ...row, isNew: false, text: null, fields: [] }, { ...row, view: 'events' }];
  expect(unpackRows(structuredClone(packRows(rows)))).toEqual(rows);
  expect(unpackRows(packRows([]))).toEqual([]);
});
