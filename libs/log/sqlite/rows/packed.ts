// How old records and large appends are stored: many records of one partition compressed together, so what they have in
// common costs nothing.
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { damaged } from '../sqlite-errors.ts';
import type { PlacedText, Row, RowPlace } from './rows.ts';

/** Level 3 gives 1 to 3 ns a byte here, higher ones cost several times that for a few percent. */
const params = { [constants.ZSTD_c_compressionLevel]: 3, [constants.ZSTD_c_checksumFlag]: 1 };

/** Text of one pack: larger packs save little more, and reading one record reads its whole pack. */
export const packBytes = 128 * 1024;

/** The first line holds the offsets, each as its distance from the previous offset; then one line for each record. */
export function pack(records: readonly PlacedText[]): Buffer {
  let last = 0;
  const steps = records.map(({ offset }) => {
    const step = offset - last;
    last = offset;
    return step;
  });
  return compressed([JSON.stringify(steps), ...records.map((record) => record.text)]);
}

/** Of rows that are appended together, before their offsets are known: the first line is empty, the offsets have no gaps. */
export const packTogether = (rows: readonly Row[]): Buffer => compressed(['', ...rows.map(({ lines }) => lines)]);

const compressed = (lines: readonly string[]): Buffer => zstdCompressSync(Buffer.from(lines.join('\n')), { params });

/** The records of a row whose lines are a pack. Throws PortError `corrupt`. */
export function unpack(packed: Buffer, row: RowPlace, file: string): readonly PlacedText[] {
  try {
    const [steps = '', ...texts] = zstdDecompressSync(packed).toString().split('\n');
    const offsets = steps === '' ? withoutGaps(row) : fromSteps(JSON.parse(steps) as readonly number[]);
    if (offsets.length !== texts.length) throw new Error(`${offsets.length} offsets, ${texts.length} records`);
    return texts.map((text, i) => ({ offset: offsets[i] ?? NaN, text }));
  } catch (error) {
    throw damaged(file, error);
  }
}

function withoutGaps({ offset, count }: RowPlace): readonly number[] {
  return Array.from({ length: count }, (_, i) => offset - count + 1 + i);
}

function fromSteps(steps: readonly number[]): readonly number[] {
  let offset = 0;
  return steps.map((step) => (offset += step));
}
