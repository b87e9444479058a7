// How old records and large appends are stored: many records of one partition compressed together, so what they have in
// common costs nothing.
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { damaged } from '../sqlite-errors.ts';
import type { PlacedText } from './rows.ts';

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
  const text = [JSON.stringify(steps), ...records.map((record) => record.text)].join('\n');
  return zstdCompressSync(Buffer.from(text), { params });
}

/** Throws PortError `corrupt`. */
export function unpack(packed: Buffer, file: string): readonly PlacedText[] {
  try {
    const [steps = '', ...texts] = zstdDecompressSync(packed).toString().split('\n');
    let offset = 0;
    const offsets = (JSON.parse(steps) as readonly number[]).map((step) => (offset += step));
    if (offsets.length !== texts.length) throw new Error(`${offsets.length} offsets, ${texts.length} records`);
    return texts.map((text, i) => ({ offset: offsets[i] ?? NaN, text }));
  } catch (error) {
    throw damaged(file, error);
  }
}
