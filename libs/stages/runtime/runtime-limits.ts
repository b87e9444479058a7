// The limits of the runtime stage, each with its reason; tests make them smaller.
import { backoffMs } from '../../primitives/backoff.ts';

const MiB = 1024 * 1024;

export const runtimeLimits = {
  /**
   * Runs at once in a process that have not lasted `quickMs` yet: enough to hide their waiting, few enough that each
   * gets its share of CPU. One workspace alone can have 64 of them.
   */
  runsMax: 85,
  /** How many of these can be runs of new sources: the others can always continue. */
  newRunsMax: 24,
  /** The part of the slow processes' memory that runs of new sources leave to hooks. */
  newRunsReserve: 0.2,
  /** The part that runs of slow sources leave to both, so that a new source never waits for slow ones. */
  slowRunsReserve: 0.5,
  /** A longer run leaves its place to the next, and is bounded only by memory: most runs take some milliseconds. */
  quickMs: 500,
  /** A source whose run took more processor time than this counts as slow, even if it was quick by the clock. */
  quickCpuMs: 100,
  /** Above this, only a few such sources run at once: more of them than there are processors would not be quicker. */
  heavyCpuMs: 500,
  /** How many of them: about as many as a small machine has processors. One workspace alone can have three. */
  heavyMax: 4,
  /** Hooks have their own places: hanging runs keep no source from being deployed or deleted. 16 for one workspace. */
  hooksMax: 21,
  /** Synchronous calls at once, each of another source: a client waits for each. One workspace alone can have 12. */
  callsMax: 16,
  /** Triggers of a busy source that are at its runner at once: there the next begins without a round trip. */
  windowMax: 32,
  /** The bytes of these triggers. */
  windowBytesMax: MiB,
  /** A source with more waiting triggers or requests to publish is full: it answers 429 (docs/api.md, "Limits"). */
  queueFullAt: 500,
  /** At this number its endpoint accepts requests again; the distance keeps the answer from alternating. */
  queueFreeAt: 250,
  /** A gateway that started later, or missed the message, learns of a full source within this time. */
  fullRepeatMs: 1_000,
  /** A gateway that waits for a run learns within this time that it was taken; of most only the end is sent, sooner. */
  takenReportMs: 5_000,
  /** Code and props kept of the sources that ran last: thousands of small ones, or 16 of the largest. */
  componentBytesMax: 32 * MiB,
  /** Bundles of the sources loaded last: with maps, a dozen of the larger ones. Others are read from the log. */
  bundleUnitsMax: 32 * MiB,
  /** Waiting triggers kept whole; of further ones the body is dropped, and read again when their turn comes. */
  retainedBytesMax: 64 * MiB,
  /** Waiting triggers kept in memory, at about 200 bytes each; beyond it a lane keeps only its first. */
  bufferedMax: 100_000,
  /** The same for one lane: twice what can be at its runner. Further ones wait as offsets, and are read again. */
  bufferedOfLaneMax: 64,
  /** Waiting triggers above which reading pauses, at 16 bytes each for those not kept: 4,000 sources that are full. */
  queuedMax: 2_000_000,
  /** Waiting requests to delete events or record a change of filters above which reading pauses, at 1 KiB each. */
  requestsMax: 10_000,
  /** Waiting requests to publish above which reading pauses: two appends. */
  publishBytesMax: 16 * MiB,
  /** Recent ids of a partition in memory: 54 sources with the most possible; others are read from the log. */
  recentIdsBytesMax: 16 * MiB,
  /** Outputs waiting for the log above which no run starts: a slow disk slows runs down. */
  unsavedBytesMax: 32 * MiB,
  /** Waiting emits of one source, at about 150 bytes each: as many as a person could still look through. */
  pendingOfSourceMax: 10_000,
  /** The same for all sources of a partition; no workspace can take all of it. */
  pendingMax: 250_000,
  /** A wall clock that was set is noticed within this time. */
  pendingCheckMs: 1_000,
  /** A lost run is repeated at once, then after this time, which doubles with each loss, so that it does not spin. */
  repeatMs: 100,
  /** The longest of these waits: it bounds the load that each lane puts on a machine in trouble. */
  repeatMaxMs: 10_000,
};

export type RuntimeLimits = typeof runtimeLimits;

/** The wait before a lost run is repeated, after this many losses in a row. */
export const repeatDelayMs = (losses: number, { repeatMs, repeatMaxMs }: RuntimeLimits): number =>
  losses < 2 ? 0 : backoffMs(repeatMs, repeatMaxMs, losses - 2);
