// The bounds of running components, each with its reason; tests make them smaller.

const MiB = 1024 * 1024;

export const runtimeLimits = {
  /**
   * Sources that run at once in a process: enough to hide their waiting, few enough that each gets its share of CPU. One
   * workspace alone may have 64 of them.
   */
  runsMax: 85,
  /** Hooks have slots of their own, so that runs which hang keep no source from being deployed or deleted. 16 for one. */
  hooksMax: 21,
  /** A source's waiting triggers above which endpoints are told to answer 429 (architecture.md, Runtime). */
  queueFullAt: 500,
  /** Below this they may accept again; the distance keeps the answer from flickering. */
  queueFreeAt: 250,
  /** A gateway that started late, or missed it, hears of a full source within this time. */
  fullRepeatMs: 1_000,
  /** Triggers kept whole while they wait; beyond it only their offsets are, and they are read again when their turn comes. */
  retainedBytesMax: 64 * MiB,
  /** Waiting triggers, at about 200 bytes each without their bodies, above which reading pauses. */
  queuedMax: 100_000,
  /** Triggers read above the mark, finished ones included: what a source that hangs for a minute lets pass. */
  unfinishedMax: 1_000_000,
  /** Outputs that wait for the log, above which no run starts: a slow disk slows runs down. */
  unsavedBytesMax: 32 * MiB,
  /** A run that was lost comes again at once; lost again, after this time, which doubles, so that it cannot spin. */
  repeatMs: 100,
  /** The longest of these times: what a machine in trouble has to bear of each lane. */
  repeatMaxMs: 10_000,
};

export type RuntimeLimits = typeof runtimeLimits;
