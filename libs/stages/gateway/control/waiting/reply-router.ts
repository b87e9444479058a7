// Hands runtime's transient answers to the requests that wait for them, and knows which sources' queues are full.
import type { FormResponse } from '../../../../domain/call/form.ts';
import type { Log, Reply } from '../../../../log/log.ts';
import { Waiters } from './waiters.ts';
import { FullSources } from '../../../loop/reporting/full-sources.ts';
import type { GatewayLimits } from '../../gateway-options.ts';

export type HttpAnswer = Extract<Reply, { type: 'HttpResponded' }>;

/** The call of a form has ended. */
export interface FormAnswered {
  readonly form: FormResponse;
}

/** `gone`: the source was deleted before the run began. */
type RunAnswer = HttpAnswer | FormAnswered | 'succeeded' | 'failed' | 'gone';

/** How a wait ended; `untaken`: no runtime has reported in time that it read the request; `closed`: gateway stops. */
export type WaitResult = RunAnswer | 'untaken' | 'timed_out' | 'closed';

export class ReplyRouter {
  readonly #log: Log;
  readonly #instanceId: string;
  readonly #limits: Pick<GatewayLimits, 'takenMs'>;
  readonly #waiters = new Waiters<RunAnswer>();
  /** The deadline of each request that no runtime has reported as read, by `performance.now`. */
  readonly #unreadDeadlines = new Map<string, number>();
  readonly #fullSources = new FullSources();
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
  get waitingCount(): number {
    return this.#waiters.size;
  }

  get isCrowded(): boolean {
    return this.#waiters.isFull;
  }

  isSourceFull(sourceId: string): boolean {
    return this.#fullSources.has(sourceId);
  }

  /** Must be called before the trigger is sent, since the answer can be quicker than the acknowledgement. */
  async wait(correlationId: string, timeoutMs: number): Promise<WaitResult> {
    const { takenMs } = this.#limits;
    if (timeoutMs < takenMs) return this.#waiters.wait(correlationId, timeoutMs);
    this.#unreadDeadlines.set(correlationId, performance.now() + timeoutMs);
    const result = await this.#waiters.wait(correlationId, takenMs);
    const isUnread = this.#unreadDeadlines.delete(correlationId);
    return isUnread && result === 'timed_out' ? 'untaken' : result;
  }

  /** Ends a wait: nobody waits any more. */
  cancelWait(correlationId: string): void {
    this.#waiters.settle(correlationId, 'closed');
  }

  #receive(reply: Reply): void {
    switch (reply.type) {
      case 'HttpResponded':
        return this.#waiters.settle(reply.correlationId, reply);
      case 'RunEnded':
        return this.#waiters.settle(reply.correlationId, answerOf(reply));
      case 'TriggersTaken':
        for (const correlationId of reply.correlationIds) this.#extendWait(correlationId);
        return;
      case 'SourceFull':
      case 'SourceFree':
        return this.#fullSources.apply(reply);
      // Other parts wait for these answers: of delivery, of publishing and of data stores.
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

  #extendWait(correlationId: string): void {
    const deadline = this.#unreadDeadlines.get(correlationId);
    if (deadline === undefined) return;
    this.#unreadDeadlines.delete(correlationId);
    this.#waiters.restartTimeout(correlationId, deadline - performance.now());
  }
}

function answerOf({ failed, gone, answer }: Extract<Reply, { type: 'RunEnded' }>): RunAnswer {
  if (answer !== undefined) return { form: answer };
  if (gone === true) return 'gone';
  return failed ? 'failed' : 'succeeded';
}
