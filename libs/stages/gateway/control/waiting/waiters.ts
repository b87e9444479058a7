// Keeps the requests that wait for an answer from another stage, by correlation id.

/** Each holds a socket. Above this number clients are told to try again later. */
const waitingMax = 10_000;

interface Waiter<Answer> {
  readonly resolve: (answer: Answer | 'timed_out' | 'closed') => void;
  timer: NodeJS.Timeout;
}

export class Waiters<Answer> {
  readonly #waiters = new Map<string, Waiter<Answer>>();

  get size(): number {
    return this.#waiters.size;
  }

  get isFull(): boolean {
    return this.#waiters.size >= waitingMax;
  }

  /** Must be called before the question is sent, since the answer can be quicker than the acknowledgement. */
  wait(correlationId: string, timeoutMs: number): Promise<Answer | 'timed_out' | 'closed'> {
    const { promise, resolve } = Promise.withResolvers<Answer | 'timed_out' | 'closed'>();
    this.#waiters.set(correlationId, { resolve, timer: this.#startTimer(correlationId, timeoutMs) });
    return promise;
  }

  /** Restarts the time limit of a wait. Does nothing if nobody waits for this correlation id. */
  restartTimeout(correlationId: string, timeoutMs: number): void {
    const waiter = this.#waiters.get(correlationId);
    if (waiter === undefined) return;
    clearTimeout(waiter.timer);
    waiter.timer = this.#startTimer(correlationId, timeoutMs);
  }

  /** Ends a wait with this answer. Does nothing if nobody waits. `closed`: nobody will answer. */
  settle(correlationId: string, answer: Answer | 'timed_out' | 'closed'): void {
    const waiter = this.#waiters.get(correlationId);
    if (waiter === undefined) return;
    this.#waiters.delete(correlationId);
    clearTimeout(waiter.timer);
    waiter.resolve(answer);
  }

  closeAll(): void {
    for (const correlationId of this.#waiters.keys()) this.settle(correlationId, 'closed');
  }

  #startTimer(correlationId: string, timeoutMs: number): NodeJS.Timeout {
    return setTimeout(() => this.settle(correlationId, 'timed_out'), timeoutMs);
  }
}
