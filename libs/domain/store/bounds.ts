// How much a workspace may keep in its data stores (decision 0059).

const MiB = 1024 * 1024;

export const storeBounds = {
  /** Of one workspace: each is listed, and some sources have one of their own. */
  storesMax: 100,
  /** Removed ones of one workspace that are remembered for the requests that created them: some 150 bytes each. */
  removedMax: 1_000,
  /** Of one store: deleting all of them is one append. */
  keysMax: 10_000,
  /** As long as names, ids and URLs get. */
  keyUnitsMax: 1_024,
  /** JSON text of one value: with what asks for it, it fits into one record. */
  valueBytes: 256 * 1024,
  /** JSON text of all keys and values of a workspace, and `entryBytes` for each: their owner holds them in memory. */
  workspaceBytes: 16 * MiB,
  /** What an entry takes beside its text, however short that is. */
  entryBytes: 256,
  nameUnitsMax: 255,
  /** The longest time to live: ten years. */
  ttlMaxS: 10 * 366 * 24 * 3_600,
  /** Keys in one answer. */
  pageKeysMax: 1_000,
  /** JSON text of the keys and values in one answer, beyond its first. */
  pageBytes: 512 * 1024,
} as const;
