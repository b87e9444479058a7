// Stores old records and large appends compressed: many records of one partition together, so that what they have in
// common costs nothing.
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { damagedError } from '../sqlite-errors.ts';
import type { RecordText, Row, RowOffsets } from './rows.ts';

/** Level 3 takes 1 to 3 ns a byte here, higher ones several times that for a few percent. */
const params = { [constants.ZSTD_c_compressionLevel]: 3, [constants.ZSTD_c_checksumFlag]: 1 };

/** The text of one pack: larger packs save little more, and reading one record reads its whole pack. */
export const packBytes = 128 * 1024;

/** The first line holds the offsets, each as its distance from the previous offset; each other line holds a record. */
export function pack(records: readonly RecordText[]): Buffer {
  let last = 0;
  const steps = records.map(({ offset }) => {
    const step = offset - last;
    last = offset;
    return step;
  });
  return compressLines([JSON.stringify(steps), ...records.map((record) => record.text)]);
}

/** Packs rows appended together, whose offsets are unknown: the first line is empty, the offsets have no gaps. */
export const packWithoutOffsets = (rows: readonly Row[]): Buffer =>
  compressLines(['', ...rows.map(({ lines }) => lines)]);

const compressLines = (lines: readonly string[]): Buffer => zstdCompressSync(Buffer.from(lines.join('\n')), { params });

/** Returns the records of a row whose lines are a pack. Throws PortError `corrupt`. */
export function unpack(packed: Buffer, row: RowOffsets, file: string): readonly RecordText[] {
  try {
    const [steps = '', ...texts] = zstdDecompressSync(packed).toString().split('\n');
    const offsets = steps === '' ? consecutiveOffsets(row) : offsetsFromSteps(JSON.parse(steps) as readonly number[]);
    if (offsets.length !== texts.length) throw new Error(`${offsets.length} offsets, ${texts.length} records`);
    return texts.map((text, i) => ({ offset: offsets[i] ?? NaN, text }));
  } catch (error) {
    throw damagedError(file, error);
  }
}

function consecutiveOffsets({ offset, count }: RowOffsets): readonly number[] {
  return Array.from({ length: count }, (_, i) => offset - count + 1 + i);
}

function offsetsFromSteps(steps: readonly number[]): readonly number[] {
  let offset = 0;
  return steps.map((step) => (offset += step));
}
