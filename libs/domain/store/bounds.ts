// The bounds of a workspace's data stores (decision 0059).

const MiB = 1024 * 1024;

export const storeBounds = {
  /** The most stores of a workspace, all of which are listed; some sources have their own. */
  storesMax: 100,
  /** Removed ones of one workspace that are remembered for the requests that created them: some 150 bytes each. */
  removedMax: 1_000,
  /** The most records of a store: deleting all of them is one append. */
  keysMax: 10_000,
  /** As long as names, ids and URLs get. */
  keyUnitsMax: 1_024,
  /** JSON text of one value: with what asks for it, it fits into one record. */
  valueBytes: 256 * 1024,
  /** JSON text of all keys and values of a workspace, and `entryBytes` for each: their owner holds them in memory. */
  workspaceBytes: 16 * MiB,
  /** The memory of an entry besides its text. */
  entryBytes: 256,
  nameUnitsMax: 255,
  /** The longest time to live: ten years. */
  ttlMaxS: 10 * 366 * 24 * 3_600,
  /** The most keys in one answer. */
  pageKeysMax: 1_000,
  /** JSON text of the keys and values in one answer, beyond its first. */
  pageBytes: 512 * 1024,
} as const;
