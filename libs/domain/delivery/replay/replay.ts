// What holds for every replay, as pure rules: how many there may be, and when one has ended.
import type { ReplayState } from './messages.ts';

/** Replays of one subscription that run at a time in a partition, and as many dry runs; others wait for their turn. */
export const runningMax = 4;
/** Replays of one subscription that run or wait in a partition. */
export const livingMax = 100;
/** Replays of one subscription that are remembered in a partition after their end: the newest. */
export const endedKeptMax = 100;
/** Dry runs of one subscription that are remembered: somebody may wait for them. */
export const dryRunsKeptMax = 16;
/** Events of one replay in flight or waiting for a retry: then it waits for them. */
export const replayOpenMax = 64;

export const hasEnded = (state: ReplayState): boolean => state === 'done' || state === 'cancelled';
