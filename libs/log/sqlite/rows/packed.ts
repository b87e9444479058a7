// Stores old records and large appends compressed: many records of one partition together, so that what they have in
// common costs nothing.
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { damaged } from '../sqlite-errors.ts';
import type { PlacedText, Row, RowPlace } from './rows.ts';

/** Level 3 takes 1 to 3 ns a byte here, higher ones several times that for a few percent. */
const params = { [constants.ZSTD_c_compressionLevel]: 3, [constants.ZSTD_c_checksumFlag]: 1 };

/** The text of one pack: larger packs save little more, and reading one record reads its whole pack. */
export const packBytes = 128 * 1024;

/** The first line holds the offsets, each as its distance from the previous offset; each other line holds a record. */
export function pack(records: readonly PlacedText[]): Buffer {
  let last = 0;
  const steps = records.map(({ offset }) => {
    const step = offset - last;
    last = offset;
    return step;
  });
  return compressed([JSON.stringify(steps), ...records.map((record) => record.text)]);
}

/** Packs rows appended together, whose offsets are unknown: the first line is empty, the offsets have no gaps. */
export const packTogether = (rows: readonly Row[]): Buffer => compressed(['', ...rows.map(({ lines }) => lines)]);

const compressed = (lines: readonly string[]): Buffer => zstdCompressSync(Buffer.from(lines.join('\n')), { params });

/** Returns the records of a row whose lines are a pack. Throws PortError `corrupt`. */
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
