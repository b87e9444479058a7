// The lifecycle stage, the only one that decides about commands.
import type { Ambient } from '../../domain/ambient.ts';
import type { RetentionSettings } from '../loop/settings.ts';
import { newestRetention } from '../loop/retention.ts';
import { Stage } from '../loop/stage.ts';
import type { StageTask, TaskContext } from '../loop/stage.ts';
import { ControlPlane } from './control-plane.ts';
import { LifecycleTask } from './lifecycle-task.ts';
import { restore } from './definitions/restore-control-plane.ts';
import type { LifecycleTaskOptions, OnSkipped } from './lifecycle-task.ts';
import { RetentionMover } from './retention/mover.ts';

export interface LifecycleOptions {
  readonly masterKey: Buffer;
  readonly ambient: Ambient;
  /** By default a process warning, so that a request without an outcome is noticed. */
  readonly onSkipped?: OnSkipped;
  /** Without it everything is kept forever. */
  readonly retention?: RetentionSettings;
}

export class LifecycleStage extends Stage {
  readonly name = 'lifecycle';
  readonly #options: LifecycleOptions;

  constructor(options: LifecycleOptions) {
    super();
    this.#options = options;
  }

  /** Throws WrongMasterKeyError, which no recovery can fix. */
  async open(context: TaskContext): Promise<StageTask> {
    const { ambient, onSkipped = warn } = this.#options;
    const restored = await restore(() => new ControlPlane(this.#options), context);
    const retention = await this.#retention(restored.plane, context);
    return new LifecycleTask({ restored, context, ambient, onSkipped, retention });
  }

  async close(): Promise<void> {}

  async #retention({ sources }: ControlPlane, { log, fail }: TaskContext): Promise<LifecycleTaskOptions['retention']> {
    const { ambient, retention: settings } = this.#options;
    if (settings === undefined) return undefined;
    const last = (await newestRetention(log))?.data;
    return (append) => new RetentionMover({ settings, ambient, last, sources, log, fail, append });
  }
}

const warn: OnSkipped = ({ type, id, topic, partition, offset }, error) =>
  process.emitWarning(`${type} ${id} at ${topic}/${partition}/${offset} was skipped: ${String(error)}`);
