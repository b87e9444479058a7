// Reads prints, the first bytes of leaves, as numbers: unsigned, they only show which record the signed root excludes.
import { printBytes } from '../file/format.ts';

export const printOf = (leaf: Uint8Array): number => ((leaf[0] ?? 0) << 16) | ((leaf[1] ?? 0) << 8) | (leaf[2] ?? 0);

/** Undefined if the text is not the prints of `count` leaves. */
export function readPrints(text: string, count: number): readonly number[] | undefined {
  const bytes = Buffer.from(text, 'base64');
  if (bytes.length !== count * printBytes) return undefined;
  return Array.from({ length: count }, (_, at) => printOf(bytes.subarray(at * printBytes)));
}
