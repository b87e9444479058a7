// Merges listed records and those of a stream into one list, newest first.

/** Records that a page keeps; older ones are loaded by paging. */
export const liveMax = 500;

interface Identified {
  readonly id: string;
}

/** Newest first, each id once; `order` gives the place of a record, greater for a newer one. */
export function mergeRecords<T extends Identified>(
  listed: readonly T[],
  streamed: readonly T[],
  order: (a: T, b: T) => number,
): readonly T[] {
  const byId = new Map<string, T>();
  for (const record of [...listed, ...streamed]) byId.set(record.id, record);
  return [...byId.values()].sort((a, b) => order(b, a));
}

/** Adds a record, and drops the oldest if there are too many. */
export function addNewest<T extends Identified>(records: readonly T[], record: T): readonly T[] {
  if (records.some(({ id }) => id === record.id)) return records;
  return [record, ...records].slice(0, liveMax);
}

/** The records that a stream has brought. */
export interface StreamedRecords<T> {
  readonly records: readonly T[];
  /** How many in all, those that are no longer kept included. */
  readonly count: number;
}

export const emptyStream = { records: [], count: 0 };

export function addStreamed<T extends Identified>(streamed: StreamedRecords<T>, record: T): StreamedRecords<T> {
  const records = addNewest(streamed.records, record);
  return records === streamed.records ? streamed : { records, count: streamed.count + 1 };
}

/**
 * The oldest record that is kept of a stream when between it and the newest that is listed (`newestListed`) some are missing,
 * since more came than are kept; undefined: none is.
 */
export function gapCursor<T extends Identified>(
  { records, count }: StreamedRecords<T>,
  newestListed: string,
  compareIds: (a: string, b: string) => number,
): string | undefined {
  const oldest = records.at(-1)?.id;
  if (oldest === undefined || count <= records.length) return undefined;
  return compareIds(newestListed, oldest) < 0 ? oldest : undefined;
}

/** How long to wait before the next connection, after some that failed. */
export const reconnectMs = (failures: number): number => Math.min(1_000 * 2 ** failures, 30_000);
