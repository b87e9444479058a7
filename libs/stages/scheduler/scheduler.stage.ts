// The scheduler stage: requests each tick of the sources' timers exactly once, whichever process owns the partition.
import type { Ambient } from '../../domain/ambient.ts';
import { positionKey } from '../../log/log.ts';
import { Stage } from '../loop/stage.ts';
import type { StageTask, TaskContext } from '../loop/stage.ts';
import { restore } from './restore-schedules.ts';
import { SchedulerTask } from './scheduler-task.ts';

export interface SchedulerOptions {
  readonly ambient: Ambient;
  /** A monotonic clock in milliseconds; tests pass their own. */
  readonly elapsedMs?: () => number;
}

export class SchedulerStage extends Stage {
  readonly name = 'scheduler';
  readonly #options: SchedulerOptions;

  constructor({ ambient, elapsedMs }: SchedulerOptions) {
    super();
    this.#options = { ambient, ...(elapsedMs === undefined ? {} : { elapsedMs }) };
  }

  /** Without a mark no timer has ticked yet, so the runs that are already on the log do not matter. */
  override async open(context: TaskContext): Promise<StageTask> {
    const { ambient, elapsedMs = () => performance.now() } = this.#options;
    const { log, partition, mark } = context;
    const restored = await restore(context, ambient.now());
    const runsFrom = mark.positions[positionKey('runs', partition)] ?? (await log.end('runs', partition));
    return new SchedulerTask({ context, ambient, restored, runsFrom, elapsedMs });
  }

  override async close(): Promise<void> {}
}
