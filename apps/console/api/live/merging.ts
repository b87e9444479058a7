// Records as they come: what has been listed and what a stream brings become one list, the newest first.

/** What a page keeps; older records are read by paging. */
export const liveMax = 500;

interface Identified {
  readonly id: string;
}

/** By id, each once, newest first; `order` is the place of a record, greater for a newer one. */
export function merged<T extends Identified>(
  listed: readonly T[],
  streamed: readonly T[],
  order: (a: T, b: T) => number,
): readonly T[] {
  const byId = new Map<string, T>();
  for (const record of [...listed, ...streamed]) byId.set(record.id, record);
  return [...byId.values()].sort((a, b) => order(b, a));
}

/** With one more, and without the oldest when there are too many. */
export function pushed<T extends Identified>(kept: readonly T[], record: T): readonly T[] {
  if (kept.some(({ id }) => id === record.id)) return kept;
  return [record, ...kept].slice(0, liveMax);
}

/** How long to wait before the next connection, after some that failed. */
export const reconnectMs = (failures: number): number => Math.min(1_000 * 2 ** failures, 30_000);
