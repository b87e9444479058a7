// The runtime stage: runs components for their triggers and puts what they yield on the log.
import { Stage } from '../loop/stage.ts';
import type { StageTask, TaskContext } from '../loop/stage.ts';
import type { SharedSlots } from './lanes/dispatcher.ts';
import { Slots } from './lanes/slots.ts';
import { runtimeLimits } from './limits.ts';
import type { RuntimeLimits } from './limits.ts';
import type { RuntimeOptions } from './options.ts';
import { RuntimeTask } from './runtime-task.ts';
import { restore } from './source/restore.ts';

export class RuntimeStage extends Stage {
  readonly name = 'runtime';
  readonly #options: RuntimeOptions;
  readonly #limits: RuntimeLimits;
  readonly #slots: SharedSlots;

  constructor({ limits, ...options }: RuntimeOptions & { readonly limits?: Partial<RuntimeLimits> }) {
    super();
    this.#options = options;
    this.#limits = { ...runtimeLimits, ...limits };
    this.#slots = { runs: new Slots(this.#limits.runsMax), hooks: new Slots(this.#limits.hooksMax) };
  }

  /** Throws WrongMasterKeyError. */
  async open(context: TaskContext): Promise<StageTask> {
    const restored = await restore(context, this.#options.masterKey, this.#options.ambient);
    return new RuntimeTask({ ...this.#options, context, restored, slots: this.#slots, limits: this.#limits });
  }

  /** The sandbox belongs to the engine, which closes it. */
  async close(): Promise<void> {}
}
