// Compiles or tries a transform for a waiting client, and sends the result to its gateway.
import { Shares } from '../../../primitives/sharing/shares.ts';
import type { RecordOn } from '../../../domain/messages-of.ts';
import type { Reply } from '../../../log/log.ts';
import type { TaskOptions } from '../delivery-options.ts';

type Tried = Extract<Reply, { type: 'TransformTried' }>['outcome'];
type Trial = Extract<RecordOn<'requests'>, { type: 'TransformTrialRequested' }>;

/** No client waits longer than this for a result. */
const waitedForMs = 30_000;
/** The most running trials, whose events and texts take at most half a MiB each; further ones are not tried. */
const underWayMax = { all: 64, each: 16 };

export type TrialsOptions = Pick<TaskOptions, 'context' | 'transformer' | 'ambient'>;

export class Trials {
  readonly #options: TrialsOptions;
  readonly #places = new Shares(underWayMax);

  constructor(options: TrialsOptions) {
    this.#options = options;
  }

  /** Starts a trial. Never throws and never waits, so that no other work waits for it. */
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
    // Separate from the subscription's warm transform.
    const given = { subscriptionId: `trial/${subscriptionId}`, workspace, text };
    if (on !== undefined)
      return transformer.transform({ ...given, event: JSON.stringify(on.event), metadata: on.metadata });
    const error = await transformer.check(given);
    return error === undefined ? { kind: 'compiled' } : { kind: 'failed', error };
  }
}
