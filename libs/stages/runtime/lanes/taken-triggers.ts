// Reports to gateways which awaited triggers runtime has read and not finished yet. A gateway without such a report
// knows that no runtime has taken its request.
import type { Ambient } from '../../../domain/ambient.ts';
import type { Log } from '../../../log/index.ts';
import type { RuntimeLimits } from '../runtime-limits.ts';
import type { QueuedTrigger } from '../source/queued-trigger.ts';

/** A report is sent at once when it has this many entries, at some 200 bytes each. */
const untoldMax = 1_000;
/**
 * Older triggers are not reported: no gateway waits for one, even if its clock is some minutes late, and a restart
 * can read millions.
 */
const heardMs = 10 * 60_000;

/** The fields kept of a trigger, which itself can have half a megabyte. */
interface Untold {
  readonly gateway: string;
  readonly correlationId: string;
}

export interface TakenTriggersOptions {
  readonly context: { readonly log: Pick<Log, 'reply'> };
  readonly limits: Pick<RuntimeLimits, 'takenTellMs'>;
  readonly ambient: Pick<Ambient, 'now'>;
}

export class TakenTriggers {
  readonly #options: TakenTriggersOptions;
  /** Triggers that were read since the last report and have not ended, by offset. */
  readonly #untold = new Map<number, Untold>();
  #telling: NodeJS.Timeout | undefined;

  constructor(options: TakenTriggersOptions) {
    this.#options = options;
  }

  /** Call when a trigger was read and has not ended, while its record is in memory. */
  note({ offset, record, refusal }: QueuedTrigger): void {
    const { limits, ambient } = this.#options;
    const trigger = record ?? refusal?.trigger;
    const gateway = trigger?.data.replyTo;
    if (trigger === undefined || gateway === undefined || ambient.now() - trigger.at > heardMs) return;
    this.#untold.set(offset, { gateway, correlationId: trigger.correlationId });
    if (this.#untold.size >= untoldMax) this.#tell();
    else this.#telling ??= setTimeout(() => this.#tell(), limits.takenTellMs).unref();
  }

  /** Call when the ends of these triggers are on the log: they are sent instead. */
  ended(told: readonly { readonly ended?: number }[]): void {
    for (const { ended } of told) if (ended !== undefined) this.#untold.delete(ended);
  }

  /** Drops the report: the next owner reads these triggers again and reports them. */
  stop(): void {
    clearTimeout(this.#telling);
    this.#telling = undefined;
    this.#untold.clear();
  }

  #tell(): void {
    const byGateway = Map.groupBy(this.#untold.values(), ({ gateway }) => gateway);
    this.stop();
    for (const [gateway, told] of byGateway) {
      const correlationIds = told.map(({ correlationId }) => correlationId);
      this.#options.context.log.reply(gateway, { type: 'TriggersTaken', correlationIds });
    }
  }
}
