// Requests that wait for an answer from another stage, by correlation id.

/** Each holds a socket. Above this number clients are told to try again later. */
const waitingMax = 10_000;

export class Waiters<Answer> {
  readonly #waiters = new Map<string, (answer: Answer | 'timed_out' | 'closed') => void>();

  get size(): number {
    return this.#waiters.size;
  }

  get full(): boolean {
    return this.#waiters.size >= waitingMax;
  }

  /** To be called before the question is sent, since the answer may be quicker than its acknowledgement. */
  wait(correlationId: string, timeoutMs: number): Promise<Answer | 'timed_out' | 'closed'> {
    const { promise, resolve } = Promise.withResolvers<Answer | 'timed_out' | 'closed'>();
    const timer = setTimeout(() => this.reach(correlationId, 'timed_out'), timeoutMs);
    this.#waiters.set(correlationId, (answer) => {
      clearTimeout(timer);
      resolve(answer);
    });
    return promise;
  }

  /** Does nothing if nobody waits for it. `closed`: nobody will answer. */
  reach(correlationId: string, answer: Answer | 'timed_out' | 'closed'): void {
    const waiter = this.#waiters.get(correlationId);
    this.#waiters.delete(correlationId);
    waiter?.(answer);
  }

  closeAll(): void {
    for (const correlationId of this.#waiters.keys()) this.reach(correlationId, 'closed');
  }
}
