// Compiles or tries a transform for a client that waits, and tells its gateway what came of it.
import type { RecordOn, RecordsOn } from '../../../domain/messages-of.ts';
import type { Reply } from '../../../log/log.ts';
import type { TaskOptions } from '../options.ts';

type Tried = Extract<Reply, { type: 'TransformTried' }>['outcome'];
type Request = RecordOn<'requests'>;
type Trial = Extract<Request, { type: 'TransformTrialRequested' }>;
export type ReplayRecord = Exclude<Request, Trial>;

/** Nobody waits any longer for what was asked before that. */
const waitedForMs = 30_000;
/** Events and texts of trials under way, half a MiB each at most; the rest are not tried. */
const underWayMax = 64;

export class Trials {
  readonly #options: Pick<TaskOptions, 'context' | 'transformer' | 'ambient'>;
  #underWay = 0;

  constructor(options: Pick<TaskOptions, 'context' | 'transformer' | 'ambient'>) {
    this.#options = options;
  }

  /** Begins the trials among the requests, and gives the others. */
  take(records: RecordsOn<'requests'>): readonly ReplayRecord[] {
    const { ambient } = this.#options;
    const others: ReplayRecord[] = [];
    for (const record of records) {
      if (record.type !== 'TransformTrialRequested') others.push(record);
      else if (record.at > ambient.now() - waitedForMs) void this.#try(record);
    }
    return others;
  }

  async #try(trial: Trial): Promise<void> {
    if (this.#underWay >= underWayMax) return;
    this.#underWay++;
    const outcome = await this.#outcomeOf(trial);
    this.#underWay--;
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
