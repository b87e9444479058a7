// The rules for all replays: how many there can be, and when one has ended.
import type { ReplayState } from './messages.ts';

/** The most replays of a subscription that run at a time in a partition, and the most dry runs; others wait. */
export const runningReplaysMax = 4;
/** The most replays of a subscription that run or wait in a partition. */
export const liveReplaysMax = 100;
/** How many ended replays of a subscription a partition keeps, the newest. */
export const endedKeptMax = 100;
/** How many ended dry runs of a subscription are kept: somebody might wait for them. */
export const dryRunsKeptMax = 16;
/** The most events of a replay in flight or waiting for a retry; with this many, the replay waits for them. */
export const replayOpenMax = 64;

export const hasEnded = (state: ReplayState): boolean => state === 'done' || state === 'cancelled';
