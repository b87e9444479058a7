// Collects runtime's reports that a change of a filter has its place among the events: the change is answered then.
import type { Log, Reply } from '../../../log/log.ts';
import { withinOr } from '../../../primitives/time-limit.ts';

/** Changes that are kept, of all gateways: far more than are answered at a time. */
const retainedMax = 1_000;

interface FilterAck {
  readonly partitions: Set<number>;
  /** Called when a further partition is reported. */
  onPartition: () => void;
}

export class FilterAcks {
  readonly #log: Pick<Log, 'onReply'>;
  readonly #receiverName: string;
  /** By the request's correlation id, newest last. */
  readonly #acks = new Map<string, FilterAck>();
  #stopReceiving: (() => void) | undefined;

  constructor(log: Pick<Log, 'onReply'>, instanceId: string) {
    this.#log = log;
    this.#receiverName = `${instanceId}-filters`;
  }

  /** Must be called before a filter is sent, since runtime can be quicker than the outcome. */
  listen(): void {
    this.#stopReceiving ??= this.#log.onReply(this.#receiverName, (reply) => this.#receive(reply));
  }

  close(): void {
    this.#stopReceiving?.();
  }

  /** Whether runtime reports in time that the change has its place among the events of `count` partitions. */
  async waitForPartitions(correlationId: string, count: number, timeoutMs: number): Promise<boolean> {
    const ack = this.#ackOf(correlationId);
    const allReported = new Promise<true>((resolve) => {
      ack.onPartition = () => (ack.partitions.size >= count ? resolve(true) : undefined);
      ack.onPartition();
    });
    const isAcked = await withinOr(allReported, timeoutMs, false);
    this.#acks.delete(correlationId);
    return isAcked;
  }

  #receive(reply: Reply): void {
    if (reply.type !== 'FilterTaken') return;
    const ack = this.#ackOf(reply.correlationId);
    ack.partitions.add(reply.partition);
    ack.onPartition();
  }

  #ackOf(correlationId: string): FilterAck {
    const known = this.#acks.get(correlationId);
    if (known !== undefined) return known;
    const ack: FilterAck = { partitions: new Set(), onPartition: () => {} };
    this.#acks.set(correlationId, ack);
    const [oldest] = this.#acks.keys();
    if (this.#acks.size > retainedMax && oldest !== undefined) this.#acks.delete(oldest);
    return ack;
  }
}
