// Collects runtime's reports that a change of a filter has its place among the events: the change is answered then.
import type { Log, Reply } from '../../../log/log.ts';
import { withinOr } from '../../../primitives/time-limit.ts';

/** Changes that are kept, of all gateways: far more than are answered at a time. */
const keptMax = 1_000;

interface Taken {
  readonly partitions: Set<number>;
  /** Called when a further partition is reported. */
  told: () => void;
}

export class TakenFilters {
  readonly #log: Pick<Log, 'onReply'>;
  readonly #name: string;
  /** By the request's correlation id, newest last. */
  readonly #taken = new Map<string, Taken>();
  #stopReceiving: (() => void) | undefined;

  constructor(log: Pick<Log, 'onReply'>, instanceId: string) {
    this.#log = log;
    this.#name = `${instanceId}-filters`;
  }

  /** Must be called before a filter is sent, since runtime can be quicker than the outcome. */
  listen(): void {
    this.#stopReceiving ??= this.#log.onReply(this.#name, (reply) => this.#take(reply));
  }

  close(): void {
    this.#stopReceiving?.();
  }

  /** Whether runtime reports in time that the change has its place among the events of `count` partitions. */
  async inPartitions(correlationId: string, count: number, timeoutMs: number): Promise<boolean> {
    const taken = this.#of(correlationId);
    const all = new Promise<true>((resolve) => {
      taken.told = () => (taken.partitions.size >= count ? resolve(true) : undefined);
      taken.told();
    });
    const isTaken = await withinOr(all, timeoutMs, false);
    this.#taken.delete(correlationId);
    return isTaken;
  }

  #take(reply: Reply): void {
    if (reply.type !== 'FilterTaken') return;
    const taken = this.#of(reply.correlationId);
    taken.partitions.add(reply.partition);
    taken.told();
  }

  #of(correlationId: string): Taken {
    const known = this.#taken.get(correlationId);
    if (known !== undefined) return known;
    const taken: Taken = { partitions: new Set(), told: () => {} };
    this.#taken.set(correlationId, taken);
    const [oldest] = this.#taken.keys();
    if (this.#taken.size > keptMax && oldest !== undefined) this.#taken.delete(oldest);
    return taken;
  }
}
