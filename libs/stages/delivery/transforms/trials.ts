// Compiles or tries a transform for a client that waits, and tells its gateway what came of it.
import { Shares } from '../../../primitives/sharing/shares.ts';
import type { RecordOn } from '../../../domain/messages-of.ts';
import type { Reply } from '../../../log/log.ts';
import type { TaskOptions } from '../delivery-options.ts';

type Tried = Extract<Reply, { type: 'TransformTried' }>['outcome'];
type Trial = Extract<RecordOn<'requests'>, { type: 'TransformTrialRequested' }>;

/** Nobody waits any longer for what was asked before that. */
const waitedForMs = 30_000;
/** Events and texts of trials under way, half a MiB each at most; the rest are not tried. */
const underWayMax = { all: 64, each: 16 };

export type TrialsOptions = Pick<TaskOptions, 'context' | 'transformer' | 'ambient'>;

export class Trials {
  readonly #options: TrialsOptions;
  readonly #places = new Shares(underWayMax);

  constructor(options: TrialsOptions) {
    this.#options = options;
  }

  /** Never throws and never waits: nobody else waits for a trial. */
  take(trial: Trial): void {
    if (trial.at > this.#options.ambient.now() - waitedForMs) void this.#try(trial);
  }

  async #try(trial: Trial): Promise<void> {
    if (!this.#places.take(trial.workspace)) return;
    const outcome = await this.#outcomeOf(trial);
    this.#places.leave(trial.workspace);
    const { correlationId } = trial;
    this.#options.context.log.reply(trial.data.replyTo, { type: 'TransformTried', correlationId, outcome });
  }

  async #outcomeOf({ data, workspace }: Trial): Promise<Tried> {
    const { transformer } = this.#options;
    const { subscriptionId, transform: text, on } = data;
    // Apart from the warm one of the subscription.
    const given = { subscriptionId: `trial/${subscriptionId}`, workspace, text };
    if (on !== undefined)
      return transformer.transform({ ...given, event: JSON.stringify(on.event), metadata: on.metadata });
    const error = await transformer.check(given);
    return error === undefined ? { kind: 'compiled' } : { kind: 'failed', error };
  }
}
