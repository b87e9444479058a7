// Where runtime's transient answers meet the endpoint requests that wait for them, and which sources are full.
import type { Log, Reply } from '../../../log/log.ts';
import { FullSources } from '../../loop/reporting/full-sources.ts';

export type HttpAnswer = Extract<Reply, { type: 'HttpResponded' }>;

/** How waiting ended; `closed`: the gateway stops. */
export type Reached = HttpAnswer | 'succeeded' | 'failed' | 'timed_out' | 'closed';

/** Each holds a socket; beyond it clients are told to come back. */
const waitingMax = 10_000;

export class ReplyDesk {
  readonly #log: Log;
  readonly #instanceId: string;
  readonly #waiters = new Map<string, (reached: Reached) => void>();
  readonly #full = new FullSources();
  #stopReceiving: (() => void) | undefined;

  constructor(log: Log, instanceId: string) {
    this.#log = log;
    this.#instanceId = instanceId;
  }

  open(): void {
    this.#stopReceiving = this.#log.onReply(this.#instanceId, (reply) => this.#receive(reply));
  }

  close(): void {
    this.#stopReceiving?.();
    for (const correlationId of [...this.#waiters.keys()]) this.#reach(correlationId, 'closed');
  }

  /** How many requests wait. */
  get waiting(): number {
    return this.#waiters.size;
  }

  get crowded(): boolean {
    return this.#waiters.size >= waitingMax;
  }

  isFull(sourceId: string): boolean {
    return this.#full.has(sourceId);
  }

  /** To be called before the trigger is sent, since the answer may be quicker than its acknowledgement. */
  wait(correlationId: string, timeoutMs: number): Promise<Reached> {
    const { promise, resolve } = Promise.withResolvers<Reached>();
    const timer = setTimeout(() => this.#reach(correlationId, 'timed_out'), timeoutMs);
    this.#waiters.set(correlationId, (reached) => {
      clearTimeout(timer);
      resolve(reached);
    });
    return promise;
  }

  /** Nobody waits any more. */
  leave(correlationId: string): void {
    this.#reach(correlationId, 'closed');
  }

  #receive(reply: Reply): void {
    switch (reply.type) {
      case 'HttpResponded':
        return this.#reach(reply.correlationId, reply);
      case 'RunEnded':
        return this.#reach(reply.correlationId, reply.failed ? 'failed' : 'succeeded');
      // For those who wait for delivery.
      case 'FilterTaken':
      case 'TransformTried':
        return;
      case 'SourceFull':
      case 'SourceFree':
        return this.#full.take(reply);
      // These are for the publish desk.
      case 'EventsPublished':
      case 'PublishRefused':
        return undefined;
    }
  }

  #reach(correlationId: string, reached: Reached): void {
    const waiter = this.#waiters.get(correlationId);
    this.#waiters.delete(correlationId);
    waiter?.(reached);
  }
}
