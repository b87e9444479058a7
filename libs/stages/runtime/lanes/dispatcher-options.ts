// The options of a dispatcher: places, what can run, and how it is run.
import type { SourceSettings } from '../../../domain/source/source-settings.ts';
import type { Pace } from '../../../sandbox/sandbox.ts';
import type { Finished } from '../outcome/finished.ts';
import type { RunPlaces } from '../places/run-places.ts';
import type { PaceRecords } from '../places/pace-records.ts';
import type { QueuedTrigger } from '../source/queued-trigger.ts';

/** Shared by all partitions of a process. */
export interface SharedPlaces {
  readonly runs: RunPlaces;
  readonly hooks: RunPlaces;
  readonly calls: RunPlaces;
  /** The pace of each source, rated by its runs. */
  readonly paces: PaceRecords;
}

/** How a trigger is run. */
export interface Manner {
  readonly pace: Pace;
  /** It was sent after triggers of its lane that have not ended yet. */
  readonly follows: boolean;
  /** Others of its lane can run concurrently with it. */
  readonly concurrent: boolean;
}

export interface DispatcherOptions {
  readonly places: SharedPlaces;
  /** How many triggers of a lane, and bytes of them, can be sent at once: the first runs, the others follow it. */
  readonly window: { readonly count: number; readonly bytes: number };
  /** False: what the trigger needs has not been read yet; call `wake` when it might have been. */
  readonly runnable: (trigger: QueuedTrigger) => boolean;
  /** The current settings of the trigger's source: the same object until they change. */
  readonly settingsOf: (trigger: QueuedTrigger) => SourceSettings | undefined;
  /** The isolate that it would run in, if another trigger can follow it or run concurrently; undefined: none can. */
  readonly isolateFor: (trigger: QueuedTrigger, isConcurrent: boolean) => unknown;
  /** False: no run can start now; call `wakeStarved` when one can. `expectedBytes`: expected output of what runs. */
  readonly mayStart: (expectedBytes: number) => boolean;
  /** How long a lost trigger, and its lane with it, waits before it is tried again. */
  readonly repeatDelayMs: (trigger: QueuedTrigger) => number;
  /** Resolves to undefined when the trigger was lost and must be repeated; a rejection ends the task. */
  readonly execute: (trigger: QueuedTrigger, manner: Manner) => Promise<Finished | undefined>;
  /** Whether a lane that keeps this many triggers can keep one more. */
  readonly mayKeep: (keptOfLane: number) => boolean;
  /** Called when a lane keeps the trigger itself, not only its offset. */
  readonly kept: (trigger: QueuedTrigger) => void;
  /** Reads the first few of these triggers from the log, at least one. */
  readonly readBack: (offsets: readonly number[]) => Promise<readonly QueuedTrigger[]>;
  /** Called when a trigger ended and left its lane. `overtaken`: offsets of earlier triggers that have not ended. */
  readonly finished: (trigger: QueuedTrigger, finished: Finished, overtaken: readonly number[]) => void;
  readonly fail: (error: Error) => void;
}
