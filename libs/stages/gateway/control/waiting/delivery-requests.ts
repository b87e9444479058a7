// Sends requests to delivery for whose answer a client waits: a request is appended to `requests`, a reply brings the
// answer.
import type { MessageOn } from '../../../../domain/messages-of.ts';
import type { Log, Reply } from '../../../../log/log.ts';
import { SharedSlots, type SharedSlotsLimits } from '../../../../primitives/sharing/shared-slots.ts';
import type { LogWatch } from '../log-watch.ts';
import { TooManyWaiting } from './too-many-waiting.ts';
import { Waiters } from './waiters.ts';

export interface DeliveryRequestsOptions<Type extends Reply['type']> {
  readonly log: Log;
  readonly watch: LogWatch;
  readonly instanceId: string;
  /** The type of the replies that bring the answers. */
  readonly type: Type;
  /** Each waiting request holds a socket. Above these numbers clients are told to try again later. */
  readonly slotLimits: SharedSlotsLimits;
  readonly tooManyMessage: string;
}

type AnswerOf<Type extends Reply['type']> = Extract<Reply, { readonly type: Type; readonly correlationId: string }>;

export class DeliveryRequests<Type extends Reply['type']> {
  readonly #options: DeliveryRequestsOptions<Type>;
  readonly #slots: SharedSlots;
  readonly #waiters = new Waiters<AnswerOf<Type>>();
  #stopReceiving: (() => void) | undefined;

  constructor(options: DeliveryRequestsOptions<Type>) {
    this.#options = options;
    this.#slots = new SharedSlots(options.slotLimits);
  }

  open(): void {
    const { log, instanceId, type } = this.#options;
    this.#stopReceiving = log.onReply(instanceId, (reply) => {
      if (reply.type !== type) return;
      const answer = reply as AnswerOf<Type>;
      this.#waiters.settle(answer.correlationId, answer);
    });
  }

  close(): void {
    this.#stopReceiving?.();
    this.#waiters.closeAll();
  }

  /** Undefined: no answer came in time. Throws TooManyWaiting or PortError. */
  async send(partition: number, record: MessageOn<'requests'>, timeoutMs: number): Promise<AnswerOf<Type> | undefined> {
    const { log, watch, tooManyMessage } = this.#options;
    const { workspace, correlationId } = record;
    if (!this.#slots.tryAcquire(workspace)) throw new TooManyWaiting(tooManyMessage);
    // Waits before it sends, since the answer can arrive before the acknowledgement.
    const pendingAnswer = this.#waiters.wait(correlationId, timeoutMs);
    try {
      await log.request({ topic: 'requests', partition, record });
      const answer = await watch.whileLogAnswers(pendingAnswer);
      return typeof answer === 'object' ? answer : undefined;
    } finally {
      this.#waiters.settle(correlationId, 'closed');
      this.#slots.release(workspace);
    }
  }
}
