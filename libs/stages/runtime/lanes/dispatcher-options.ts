// The options of a dispatcher: admission, what can run, and how it is run.
import type { SourceSettings } from '../../../domain/source/source-settings.ts';
import type { Pace } from '../../../sandbox/sandbox.ts';
import type { TriggerResult } from '../outcome/trigger-result.ts';
import type { RunAdmission } from '../admission/run-admission.ts';
import type { PaceRecords } from '../admission/pace-records.ts';
import type { QueuedTrigger } from '../source/queued-trigger.ts';

/** Shared by all partitions of a process. */
export interface SharedAdmission {
  readonly runs: RunAdmission;
  readonly hooks: RunAdmission;
  readonly calls: RunAdmission;
  /** The pace of each source, rated by its runs. */
  readonly paces: PaceRecords;
}

/** How a trigger is run. */
export interface ExecutionMode {
  readonly pace: Pace;
  /** It was sent after triggers of its lane that have not ended yet. */
  readonly follows: boolean;
  /** Others of its lane can run concurrently with it. */
  readonly concurrent: boolean;
}

export interface DispatcherOptions {
  readonly admission: SharedAdmission;
  /** How many triggers of a lane, and bytes of them, can be sent at once: the first runs, the others follow it. */
  readonly window: { readonly count: number; readonly bytes: number };
  /** False: what the trigger needs has not been read yet; call `wake` when it might have been. */
  readonly isRunnable: (trigger: QueuedTrigger) => boolean;
  /** The current settings of the trigger's source: the same object until they change. */
  readonly settingsOf: (trigger: QueuedTrigger) => SourceSettings | undefined;
  /** The isolate that it would run in, if another trigger can follow it or run concurrently; undefined: none can. */
  readonly isolateFor: (trigger: QueuedTrigger, isConcurrent: boolean) => unknown;
  /** False: no run can start now; call `wakeStarved` when one can. `expectedBytes`: expected output of what runs. */
  readonly canStart: (expectedBytes: number) => boolean;
  /** How long a lost trigger, and its lane with it, waits before it is tried again. */
  readonly repeatDelayMs: (trigger: QueuedTrigger) => number;
  /** Resolves to undefined when the trigger was lost and must be repeated; a rejection ends the task. */
  readonly execute: (trigger: QueuedTrigger, mode: ExecutionMode) => Promise<TriggerResult | undefined>;
  /** Whether a lane that keeps this many triggers can keep one more. */
  readonly canBuffer: (bufferedInLane: number) => boolean;
  /** Called when a lane keeps the trigger itself, not only its offset. */
  readonly onBuffered: (trigger: QueuedTrigger) => void;
  /** Reads the first few of these triggers from the log, at least one. */
  readonly readBack: (offsets: readonly number[]) => Promise<readonly QueuedTrigger[]>;
  /** Called when a trigger ended and left its lane. `overtaken`: offsets of earlier triggers that have not ended. */
  readonly onFinished: (trigger: QueuedTrigger, result: TriggerResult, overtaken: readonly number[]) => void;
  readonly fail: (error: Error) => void;
}
