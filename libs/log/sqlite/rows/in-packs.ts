// Packs the rows of a large append as it is written: a fifth of the bytes to write and sync, and no packing later.
import { pack, packBytes } from './packed.ts';
import { recordsOf, type Row } from './rows.ts';

export interface StoredRow extends Omit<Row, 'lines'> {
  /** A pack is a Buffer. */
  readonly lines: string | Buffer;
}

/**
 * The rows as they are stored, `first` being the offset of their first record: those of one partition that follow each
 * other and together have the text of a pack become one, and the others stay as they are. For topics that are not compacted.
 */
export function* inPacks(rows: readonly Row[], first: number): Generator<StoredRow> {
  let [next, bytes] = [first, 0];
  let run: Row[] = [];
  for (const row of rows) {
    if (run[0] !== undefined && run[0].partition !== row.partition) {
      yield* run;
      [next, bytes, run] = [next + countOf(run), 0, []];
    }
    run.push(row);
    bytes += row.lines.length;
    if (bytes < packBytes) continue;
    const count = countOf(run);
    yield { partition: row.partition, key: null, count, lines: packOf(run, next) };
    [next, bytes, run] = [next + count, 0, []];
  }
  yield* run;
}

const countOf = (rows: readonly Row[]): number => rows.reduce((sum, { count }) => sum + count, 0);

function packOf(rows: readonly Row[], first: number): Buffer {
  let next = first;
  return pack(rows.flatMap((row) => recordsOf({ offset: (next += row.count) - 1, count: row.count }, row.lines)));
}
