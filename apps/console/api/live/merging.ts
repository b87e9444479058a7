// Merges listed records and those of a stream into one list, newest first.

/** Records that a page keeps; older ones are loaded by paging. */
export const liveMax = 500;

interface Identified {
  readonly id: string;
}

/** Newest first, each id once; `order` gives the place of a record, greater for a newer one. */
export function merged<T extends Identified>(
  listed: readonly T[],
  streamed: readonly T[],
  order: (a: T, b: T) => number,
): readonly T[] {
  const byId = new Map<string, T>();
  for (const record of [...listed, ...streamed]) byId.set(record.id, record);
  return [...byId.values()].sort((a, b) => order(b, a));
}

/** Adds a record, and drops the oldest if there are too many. */
export function pushed<T extends Identified>(kept: readonly T[], record: T): readonly T[] {
  if (kept.some(({ id }) => id === record.id)) return kept;
  return [record, ...kept].slice(0, liveMax);
}

/** The records that a stream has brought. */
export interface Streamed<T> {
  readonly records: readonly T[];
  /** How many in all, those that are no longer kept included. */
  readonly count: number;
}

export const nothingStreamed = { records: [], count: 0 };

export function streamedOn<T extends Identified>(now: Streamed<T>, record: T): Streamed<T> {
  const records = pushed(now.records, record);
  return records === now.records ? now : { records, count: now.count + 1 };
}

/**
 * The oldest record that is kept of a stream when between it and the newest that is listed (`top`) some are missing,
 * since more came than are kept; undefined: none is.
 */
export function gapBehind<T extends Identified>(
  { records, count }: Streamed<T>,
  top: string,
  orderOfIds: (a: string, b: string) => number,
): string | undefined {
  const oldest = records.at(-1)?.id;
  if (oldest === undefined || count <= records.length) return undefined;
  return orderOfIds(top, oldest) < 0 ? oldest : undefined;
}

/** How long to wait before the next connection, after some that failed. */
export const reconnectMs = (failures: number): number => Math.min(1_000 * 2 ** failures, 30_000);
