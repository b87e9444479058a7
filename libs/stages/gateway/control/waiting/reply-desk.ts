// Hands runtime's transient answers to the requests that wait for them, and knows which sources' queues are full.
import type { FormAnswer } from '../../../../domain/call/form.ts';
import type { Log, Reply } from '../../../../log/log.ts';
import { Waiters } from './waiters.ts';
import { FullSources } from '../../../loop/reporting/full-sources.ts';
import type { GatewayLimits } from '../../gateway-options.ts';

export type HttpAnswer = Extract<Reply, { type: 'HttpResponded' }>;

/** The call of a form has ended. */
export interface FormAnswered {
  readonly form: FormAnswer;
}

/** `gone`: the source was deleted before the run began. */
type Answered = HttpAnswer | FormAnswered | 'succeeded' | 'failed' | 'gone';

/** How a wait ended; `untaken`: no runtime has reported in time that it read the request; `closed`: gateway stops. */
export type Reached = Answered | 'untaken' | 'timed_out' | 'closed';

export class ReplyDesk {
  readonly #log: Log;
  readonly #instanceId: string;
  readonly #limits: Pick<GatewayLimits, 'takenMs'>;
  readonly #waiters = new Waiters<Answered>();
  /** The deadline of each request that no runtime has reported as read, by `performance.now`. */
  readonly #untaken = new Map<string, number>();
  readonly #full = new FullSources();
  #stopReceiving: (() => void) | undefined;

  constructor(log: Log, instanceId: string, limits: Pick<GatewayLimits, 'takenMs'>) {
    this.#log = log;
    this.#instanceId = instanceId;
    this.#limits = limits;
  }

  open(): void {
    this.#stopReceiving = this.#log.onReply(this.#instanceId, (reply) => this.#receive(reply));
  }

  close(): void {
    this.#stopReceiving?.();
    this.#waiters.closeAll();
  }

  /** How many requests wait. */
  get waiting(): number {
    return this.#waiters.size;
  }

  get crowded(): boolean {
    return this.#waiters.full;
  }

  isFull(sourceId: string): boolean {
    return this.#full.has(sourceId);
  }

  /** Must be called before the trigger is sent, since the answer can be quicker than the acknowledgement. */
  async wait(correlationId: string, timeoutMs: number): Promise<Reached> {
    const { takenMs } = this.#limits;
    if (timeoutMs < takenMs) return this.#waiters.wait(correlationId, timeoutMs);
    this.#untaken.set(correlationId, performance.now() + timeoutMs);
    const reached = await this.#waiters.wait(correlationId, takenMs);
    const isUntaken = this.#untaken.delete(correlationId);
    return isUntaken && reached === 'timed_out' ? 'untaken' : reached;
  }

  /** Ends a wait: nobody waits any more. */
  leave(correlationId: string): void {
    this.#waiters.reach(correlationId, 'closed');
  }

  #receive(reply: Reply): void {
    switch (reply.type) {
      case 'HttpResponded':
        return this.#waiters.reach(reply.correlationId, reply);
      case 'RunEnded':
        return this.#waiters.reach(reply.correlationId, endOf(reply));
      case 'TriggersTaken':
        for (const correlationId of reply.correlationIds) this.#taken(correlationId);
        return;
      case 'SourceFull':
      case 'SourceFree':
        return this.#full.take(reply);
      // Other desks wait for these answers: of delivery, of publishing and of data stores.
      case 'FilterTaken':
      case 'FiltersNeeded':
      case 'TransformTried':
      case 'WebhookTested':
      case 'EventsPublished':
      case 'PublishRefused':
      case 'DataStoreAnswered':
        return;
    }
  }

  #taken(correlationId: string): void {
    const until = this.#untaken.get(correlationId);
    if (until === undefined) return;
    this.#untaken.delete(correlationId);
    this.#waiters.goOn(correlationId, until - performance.now());
  }
}

function endOf({ failed, gone, answer }: Extract<Reply, { type: 'RunEnded' }>): Answered {
  if (answer !== undefined) return { form: answer };
  if (gone === true) return 'gone';
  return failed ? 'failed' : 'succeeded';
}
