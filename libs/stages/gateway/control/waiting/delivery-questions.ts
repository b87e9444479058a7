// Sends requests to delivery for whose answer a client waits: a request is appended to `requests`, a reply brings the
// answer.
import type { MessageOn } from '../../../../domain/messages-of.ts';
import type { Log, Reply } from '../../../../log/log.ts';
import { Shares, type SharesLimits } from '../../../../primitives/sharing/shares.ts';
import type { LogWatch } from '../log-watch.ts';
import { TooManyWaiting } from './too-many-waiting.ts';
import { Waiters } from './waiters.ts';

export interface DeliveryQuestionsOptions<Type extends Reply['type']> {
  readonly log: Log;
  readonly watch: LogWatch;
  readonly instanceId: string;
  /** The type of the replies that bring the answers. */
  readonly type: Type;
  /** Each waiting request holds a socket. Above these numbers clients are told to try again later. */
  readonly places: SharesLimits;
  readonly tooMany: string;
}

type Answered<Type extends Reply['type']> = Extract<Reply, { readonly type: Type; readonly correlationId: string }>;

export class DeliveryQuestions<Type extends Reply['type']> {
  readonly #options: DeliveryQuestionsOptions<Type>;
  readonly #places: Shares;
  readonly #waiters = new Waiters<Answered<Type>>();
  #stopReceiving: (() => void) | undefined;

  constructor(options: DeliveryQuestionsOptions<Type>) {
    this.#options = options;
    this.#places = new Shares(options.places);
  }

  open(): void {
    const { log, instanceId, type } = this.#options;
    this.#stopReceiving = log.onReply(instanceId, (reply) => {
      if (reply.type !== type) return;
      const answer = reply as Answered<Type>;
      this.#waiters.reach(answer.correlationId, answer);
    });
  }

  close(): void {
    this.#stopReceiving?.();
    this.#waiters.closeAll();
  }

  /** Undefined: no answer came in time. Throws TooManyWaiting or PortError. */
  async ask(partition: number, record: MessageOn<'requests'>, timeoutMs: number): Promise<Answered<Type> | undefined> {
    const { log, watch, tooMany } = this.#options;
    const { workspace, correlationId } = record;
    if (!this.#places.take(workspace)) throw new TooManyWaiting(tooMany);
    // Waits before it sends, since the answer can arrive before the acknowledgement.
    const answer = this.#waiters.wait(correlationId, timeoutMs);
    try {
      await log.request({ topic: 'requests', partition, record });
      const answered = await watch.whileAnswering(answer);
      return typeof answered === 'object' ? answered : undefined;
    } finally {
      this.#waiters.reach(correlationId, 'closed');
      this.#places.leave(workspace);
    }
  }
}
