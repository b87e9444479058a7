// What a dispatcher is given: places, what may run, and how it is run.
import type { SourceSettings } from '../../../domain/component/settings/source-settings.ts';
import type { Pace } from '../../../sandbox/sandbox.ts';
import type { Finished } from '../outcome/finished.ts';
import type { Places } from '../places/places.ts';
import type { PaceRecords } from '../places/pace-records.ts';
import type { QueuedTrigger } from './queued-trigger.ts';

/** One for all partitions of a process. */
export interface SharedPlaces {
  readonly runs: Places;
  readonly hooks: Places;
  readonly calls: Places;
  /** Of sources, by their runs. */
  readonly standings: PaceRecords;
}

/** How a trigger is run. */
export interface Manner {
  readonly pace: Pace;
  /** It was sent behind others of its lane, which have not ended yet. */
  readonly follows: boolean;
  /** Others of its lane may run beside it. */
  readonly concurrent: boolean;
}

export interface DispatcherOptions {
  readonly places: SharedPlaces;
  /** How many of a lane, and how many bytes of them, may be under way: the first runs, the others follow it. */
  readonly window: { readonly count: number; readonly bytes: number };
  /** False: what it needs has not been read yet; `wake` when it may have. */
  readonly runnable: (trigger: QueuedTrigger) => boolean;
  /** Of its source, as they stand: the same object as long as they do. */
  readonly settingsOf: (trigger: QueuedTrigger) => SourceSettings | undefined;
  /** What it would run on, for another to follow it on the same, or to run beside it; undefined: none may. */
  readonly isolateFor: (trigger: QueuedTrigger, isConcurrent: boolean) => unknown;
  /** False: no run starts now; `wakeStarved` when one may. What is sent ahead counts with what is expected of it. */
  readonly mayStart: (expectedBytes: number) => boolean;
  /** How long a trigger that did not happen waits, and its lane with it, until it is tried again. */
  readonly repeatDelayMs: (trigger: QueuedTrigger) => number;
  /** Resolves to undefined when the trigger must be repeated; what it rejects with ends the task. */
  readonly execute: (trigger: QueuedTrigger, manner: Manner) => Promise<Finished | undefined>;
  /** Whether a lane that keeps so many may keep one more. */
  readonly mayKeep: (keptOfLane: number) => boolean;
  /** It is in its lane now, and not its offset alone. */
  readonly kept: (trigger: QueuedTrigger) => void;
  /** Of triggers that wait as offsets the first few, at least one. */
  readonly readBack: (offsets: readonly number[]) => Promise<readonly QueuedTrigger[]>;
  /** It ended and left its lane: called in the order in which they end. `overtaken`: the offsets of what it has overtaken. */
  readonly finished: (trigger: QueuedTrigger, finished: Finished, overtaken: readonly number[]) => void;
  readonly fail: (error: Error) => void;
}
