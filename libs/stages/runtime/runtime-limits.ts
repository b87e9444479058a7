// The bounds of running components, each with its reason; tests make them smaller.
import { doubled } from '../../primitives/backoff.ts';

const MiB = 1024 * 1024;

export const runtimeLimits = {
  /**
   * Sources that run at once in a process and have not done so for `quickMs`: enough to hide their waiting, few enough
   * that each gets its share of CPU. One workspace alone may have 64 of them.
   */
  runsMax: 85,
  /** Of them sources that are not known yet: the others always go on. */
  newRunsMax: 24,
  /** The part of the slow processes' memory that runs of sources which are not known leave to hooks. */
  newRunsLeave: 0.2,
  /** The part that runs of sources known to be slow leave to both, so that a new source never waits for them. */
  slowRunsLeave: 0.5,
  /** What lasts longer leaves its place to the next, and is bounded by memory alone: most runs take some milliseconds. */
  quickMs: 500,
  /** A source whose run took more processor time than this counts as slow, though it may have been quick by the clock. */
  quickCpuMs: 100,
  /** Above it, only a few such sources run at once: beyond the processors, more of them are none the quicker. */
  heavyCpuMs: 500,
  /** So few, about as many as a small machine has processors. One workspace alone may have three. */
  heavyMax: 4,
  /** Hooks have places of their own, so that runs which hang keep no source from being deployed or deleted. 16 for one. */
  hooksMax: 21,
  /** Synchronous calls that run at once, each of another source: somebody waits at each. 12 for one workspace. */
  callsMax: 16,
  /** Triggers of a busy source that are at its runner at once: there the next begins without a round trip. */
  windowMax: 32,
  /** And so much of their bodies. */
  windowBytesMax: MiB,
  /** A source's waiting triggers above which endpoints are told to answer 429 (docs/api.md, "Limits"). */
  queueFullAt: 500,
  /** Below this they may accept again; the distance keeps the answer from flickering. */
  queueFreeAt: 250,
  /** A gateway that started late, or missed it, hears of a full source within this time. */
  fullRepeatMs: 1_000,
  /** Code and props kept of the sources that ran last: thousands of small ones, or 16 of the largest. */
  componentBytesMax: 32 * MiB,
  /** Triggers kept whole while they wait; beyond it only their offsets are, and they are read again when their turn comes. */
  retainedBytesMax: 64 * MiB,
  /** Waiting triggers kept with what they are, at about 200 bytes each; of a lane that has more only the first one. */
  keptMax: 100_000,
  /** And of one lane: twice what may be at its runner. The others wait as their offsets, and are read again. */
  keptOfLaneMax: 64,
  /** Waiting triggers, at 16 bytes each beside those kept, above which reading pauses: 4,000 sources that are full. */
  queuedMax: 2_000_000,
  /** Requests to delete events that wait for the next append, above which reading pauses: at 1 KiB each. */
  deletionsMax: 10_000,
  /** Requests to publish that wait for the next append, above which reading pauses: two appends. */
  publishBytesMax: 16 * MiB,
  /** Outputs that wait for the log, above which no run starts: a slow disk slows runs down. */
  unsavedBytesMax: 32 * MiB,
  /** Events of one source that may wait for their time, at about 150 bytes each: what a person could still look through. */
  pendingOfSourceMax: 10_000,
  /** And of all sources of a partition. */
  pendingMax: 250_000,
  /** A clock that was set is noticed within it. */
  pendingLookMs: 1_000,
  /** A run that was lost comes again at once; lost again, after this time, which doubles, so that it cannot spin. */
  repeatMs: 100,
  /** The longest of these times: what a machine in trouble has to bear of each lane. */
  repeatMaxMs: 10_000,
};

export type RuntimeLimits = typeof runtimeLimits;

/** Before a run that was lost comes again, after so many losses in a row. */
export const repeatDelayMs = (losses: number, { repeatMs, repeatMaxMs }: RuntimeLimits): number =>
  losses < 2 ? 0 : doubled(repeatMs, repeatMaxMs, losses - 2);
