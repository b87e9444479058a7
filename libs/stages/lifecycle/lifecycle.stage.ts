// The lifecycle stage: the one place where commands are decided.
import type { Ambient } from '../../domain/ambient.ts';
import { Stage } from '../loop/stage.ts';
import type { StageTask, TaskContext } from '../loop/stage.ts';
import { ControlPlane } from './control-plane.ts';
import { LifecycleTask } from './lifecycle-task.ts';
import type { OnSkipped } from './lifecycle-task.ts';
import { restore } from './definitions/restore.ts';

export interface LifecycleOptions {
  readonly masterKey: Buffer;
  readonly ambient: Ambient;
  /** By default a warning of the process: a request that has no outcome must not go unseen. */
  readonly onSkipped?: OnSkipped;
}

export class LifecycleStage extends Stage {
  readonly name = 'lifecycle';
  readonly #options: LifecycleOptions;

  constructor(options: LifecycleOptions) {
    super();
    this.#options = options;
  }

  /** Throws WrongMasterKeyError, which no recovery helps against. */
  async open(context: TaskContext): Promise<StageTask> {
    const { ambient, onSkipped = warn } = this.#options;
    const restored = await restore(() => new ControlPlane(this.#options), context);
    return new LifecycleTask({ restored, context, ambient, onSkipped });
  }

  async close(): Promise<void> {}
}

const warn: OnSkipped = ({ type, id, topic, partition, offset }, error) =>
  process.emitWarning(`${type} ${id} at ${topic}/${partition}/${offset} was skipped: ${String(error)}`);
