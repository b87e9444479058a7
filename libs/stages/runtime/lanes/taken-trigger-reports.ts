// Reports to gateways which awaited triggers runtime has read and not finished yet. A gateway without such a report
// knows that no runtime has taken its request.
import type { Ambient } from '../../../domain/ambient.ts';
import type { Log } from '../../../log/index.ts';
import type { RuntimeLimits } from '../runtime-limits.ts';
import type { QueuedTrigger } from '../source/queued-trigger.ts';

/** A report is sent at once when it has this many entries, at some 200 bytes each. */
const unreportedMax = 1_000;
/**
 * Older triggers are not reported: no gateway waits for one, even if its clock is some minutes late, and a restart
 * can read millions.
 */
const reportableMs = 10 * 60_000;

/** The fields kept of a trigger, which itself can have half a megabyte. */
interface UnreportedTrigger {
  readonly gateway: string;
  readonly correlationId: string;
}

export interface TakenTriggerReportsOptions {
  readonly context: { readonly log: Pick<Log, 'reply'> };
  readonly limits: Pick<RuntimeLimits, 'takenReportMs'>;
  readonly ambient: Pick<Ambient, 'now'>;
}

export class TakenTriggerReports {
  readonly #options: TakenTriggerReportsOptions;
  /** Triggers that were read since the last report and have not ended, by offset. */
  readonly #unreported = new Map<number, UnreportedTrigger>();
  #timer: NodeJS.Timeout | undefined;

  constructor(options: TakenTriggerReportsOptions) {
    this.#options = options;
  }

  /** Call when a trigger was read and has not ended, while its record is in memory. */
  add({ offset, record, refusal }: QueuedTrigger): void {
    const { limits, ambient } = this.#options;
    const trigger = record ?? refusal?.trigger;
    const gateway = trigger?.data.replyTo;
    if (trigger === undefined || gateway === undefined || ambient.now() - trigger.at > reportableMs) return;
    this.#unreported.set(offset, { gateway, correlationId: trigger.correlationId });
    if (this.#unreported.size >= unreportedMax) this.#report();
    else this.#timer ??= setTimeout(() => this.#report(), limits.takenReportMs).unref();
  }

  /** Call when the ends of these triggers are on the log: they are sent instead. */
  removeEnded(replies: readonly { readonly endedOffset?: number }[]): void {
    for (const { endedOffset } of replies) if (endedOffset !== undefined) this.#unreported.delete(endedOffset);
  }

  /** Drops the report: the next owner reads these triggers again and reports them. */
  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#unreported.clear();
  }

  #report(): void {
    const byGateway = Map.groupBy(this.#unreported.values(), ({ gateway }) => gateway);
    this.stop();
    for (const [gateway, triggers] of byGateway) {
      const correlationIds = triggers.map(({ correlationId }) => correlationId);
      this.#options.context.log.reply(gateway, { type: 'TriggersTaken', correlationIds });
    }
  }
}
