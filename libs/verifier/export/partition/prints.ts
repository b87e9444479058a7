// The first bytes of leaves as numbers: unsigned, they only tell which record it is that the signed root does not have.
import { printBytes } from '../file/format.ts';

export const printOf = (leaf: Uint8Array): number => ((leaf[0] ?? 0) << 16) | ((leaf[1] ?? 0) << 8) | (leaf[2] ?? 0);

/** Undefined where they are not those of so many leaves. */
export function readPrints(text: string, count: number): readonly number[] | undefined {
  const bytes = Buffer.from(text, 'base64');
  if (bytes.length !== count * printBytes) return undefined;
  return Array.from({ length: count }, (_, at) => printOf(bytes.subarray(at * printBytes)));
}
