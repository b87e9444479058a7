// Compiles or tries a transform for a waiting client, and sends the result to its gateway.
import { SharedSlots } from '../../../primitives/sharing/shared-slots.ts';
import type { RecordOn } from '../../../domain/messages-of.ts';
import type { Reply } from '../../../log/log.ts';
import type { TaskOptions } from '../delivery-options.ts';

type TrialOutcome = Extract<Reply, { type: 'TransformTried' }>['outcome'];
type Trial = Extract<RecordOn<'requests'>, { type: 'TransformTrialRequested' }>;

/** No client waits longer than this for a result. */
const requestTtlMs = 30_000;
/** The most running trials, whose events and texts take at most half a MiB each; further ones are not tried. */
const trialsMax = { all: 64, each: 16 };

export type TrialsOptions = Pick<TaskOptions, 'context' | 'transformer' | 'ambient'>;

export class Trials {
  readonly #options: TrialsOptions;
  readonly #slots = new SharedSlots(trialsMax);

  constructor(options: TrialsOptions) {
    this.#options = options;
  }

  /** Starts a trial. Never throws and never waits, so that no other work waits for it. */
  start(trial: Trial): void {
    if (trial.at > this.#options.ambient.now() - requestTtlMs) void this.#try(trial);
  }

  async #try(trial: Trial): Promise<void> {
    if (!this.#slots.tryAcquire(trial.workspace)) return;
    const outcome = await this.#outcomeOf(trial);
    this.#slots.release(trial.workspace);
    const { correlationId } = trial;
    this.#options.context.log.reply(trial.data.replyTo, { type: 'TransformTried', correlationId, outcome });
  }

  async #outcomeOf({ data, workspace }: Trial): Promise<TrialOutcome> {
    const { transformer } = this.#options;
    const { subscriptionId, transform: text, on } = data;
    // Separate from the subscription's warm transform.
    const input = { subscriptionId: `trial/${subscriptionId}`, workspace, text };
    if (on !== undefined)
      return transformer.transform({ ...input, event: JSON.stringify(on.event), metadata: on.metadata });
    const error = await transformer.check(input);
    return error === undefined ? { kind: 'compiled' } : { kind: 'failed', error };
  }
}
