// Packs documents for the writing thread into one flat list, which takes a third of the time of an object for each.
import type { IndexedValue } from '../../catalog.ts';
import type { Row } from './build-writer.ts';

export type PackedRows = readonly (string | number | boolean | null)[];

export function packRows(rows: readonly Row[]): PackedRows {
  const values: (string | number | boolean | null)[] = [];
  for (const { view, id, version, isNew, text, fields } of rows)
    values.push(view, id, version, isNew, text, fields.length, ...fields);
  return values;
}

export function unpackRows(values: PackedRows): readonly Row[] {
  const rows: Row[] = [];
  for (let index = 0; index < values.length;) {
    const [view, id, version, isNew, text, count] = values.slice(index, index + 6) as RowValues;
    const fields = values.slice(index + 6, index + 6 + count) as IndexedValue[];
    rows.push({ view, id, version, isNew, text, fields });
    index += 6 + count;
  }
  return rows;
}

type RowValues = [view: string, id: string, version: number, isNew: boolean, text: string | null, fields: number];
