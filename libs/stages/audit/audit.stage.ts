// The audit stage: signs what the log holds, so that anyone who keeps a checkpoint can later detect rewritten history.
import type { Ambient } from '../../domain/ambient.ts';
import { Metrics } from '../../primitives/metrics/metrics.ts';
import { families } from '../loop/measuring/families.ts';
import { Stage } from '../loop/stage.ts';
import type { StageTask, TaskContext } from '../loop/stage.ts';
import { AuditTask } from './audit-task.ts';
import { DamagedTreeError, restore } from './restore-trees.ts';

/** How long a record can stay without a checkpoint. */
const checkpointMsDefault = 60_000;

export interface AuditOptions {
  readonly masterKey: Buffer;
  readonly ambient: Ambient;
  readonly checkpointMs?: number | undefined;
  readonly metrics?: Metrics;
  /** A monotonic clock in milliseconds; tests pass their own. */
  readonly elapsedMs?: () => number;
}

export class AuditStage extends Stage {
  readonly name = 'audit';
  /**
   * Half a second is short compared with a checkpoint's minute; with much less, the turns would cost as much as
   * hashing.
   */
  override readonly readPauseMs = 500;
  readonly #options: AuditOptions;

  constructor(options: AuditOptions) {
    super();
    this.#options = options;
  }

  /** Throws WrongMasterKeyError, which no recovery can fix, and what `restore` throws. */
  override async open(context: TaskContext): Promise<StageTask> {
    const { masterKey, ambient, metrics = new Metrics() } = this.#options;
    const { checkpointMs = checkpointMsDefault, elapsedMs = () => performance.now() } = this.#options;
    const { log, mark, alerts } = context;
    const restored = await restore({ log, signed: mark.positions, masterKey, ambient }).catch((error: unknown) => {
      if (error instanceof DamagedTreeError) alerts.raise('malformed_record', 'trees', `${error.message}.`);
      throw error;
    });
    const signed = metrics.count(families.checkpoints, {});
    return new AuditTask({ context, ambient, restored, checkpointMs, elapsedMs, signed });
  }

  override async close(): Promise<void> {}
}
