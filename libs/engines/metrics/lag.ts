// Computes how many records of an input its reader has not read, and how old the oldest of them is.
import type { Log, Position } from '../../log/log.ts';

export interface Lag {
  readonly records: number;
  readonly seconds: number;
}

/** One page for each input that is behind: few enough to cost nothing, many enough to estimate by. */
const pageBounds = { recordsMax: 200, bytesMax: 128 * 1024 };

const noLag: Lag = { records: 0, seconds: 0 };

/**
 * Offsets have gaps, so their difference is not the number of records: the records are read. Beyond one page it is
 * estimated from the offsets per record of that page.
 */
export async function lagOf(
  log: Pick<Log, 'end' | 'read'>,
  { topic, partition, offset }: Position,
  now: number,
): Promise<Lag> {
  const end = await log.end(topic, partition);
  if (end <= offset) return noLag;
  const { records, next } = await log.read(topic, partition, offset, { ...pageBounds, to: end });
  const [first] = records;
  if (first === undefined) return noLag;
  // Counted from the first record: the offsets before it might be those of many removed ones.
  const beyondPage = Math.max(0, end - next) * (records.length / Math.max(1, next - first.offset));
  const ageMs = now - first.at;
  return { records: records.length + Math.ceil(beyondPage), seconds: ageMs > 0 ? ageMs / 1_000 : 0 };
}
