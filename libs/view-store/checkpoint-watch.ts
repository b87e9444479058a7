// Lets many callers wait until the views have passed a record, with shared reads of the checkpoint.
import { setTimeout as delay } from 'node:timers/promises';
import type { Positions } from '../log/log.ts';

/** The wait between reads: the views update their checkpoint milliseconds after they show a batch of records. */
const pollMs = 5;

interface Waiter {
  /** `topic/partition` */
  readonly position: string;
  readonly offset: number;
  /** On the monotonic clock. */
  readonly deadline: number;
  readonly resolve: (end: number) => void;
  readonly reject: (error: unknown) => void;
}

export class CheckpointWatch {
  readonly #read: () => Promise<Positions>;
  readonly #waiters = new Set<Waiter>();
  #isPolling = false;

  constructor(read: () => Promise<Positions>) {
    this.#read = read;
  }

  /**
   * Resolves with the checkpoint of `position` when it has passed `offset`, or after `timeoutMs`. Throws what the store
   * throws.
   */
  waitUntilPassed(position: string, offset: number, timeoutMs: number): Promise<number> {
    const { promise, resolve, reject } = Promise.withResolvers<number>();
    this.#waiters.add({ position, offset, deadline: performance.now() + timeoutMs, resolve, reject });
    if (!this.#isPolling) void this.#poll();
    return promise;
  }

  async #poll(): Promise<void> {
    this.#isPolling = true;
    while (this.#waiters.size > 0) {
      try {
        this.#notify(await this.#read());
      } catch (error) {
        for (const { reject } of this.#waiters) reject(error);
        this.#waiters.clear();
      }
      if (this.#waiters.size > 0) await delay(pollMs);
    }
    this.#isPolling = false;
  }

  #notify(positions: Positions): void {
    for (const waiter of this.#waiters) {
      const end = positions[waiter.position] ?? 0;
      if (end <= waiter.offset && performance.now() <= waiter.deadline) continue;
      this.#waiters.delete(waiter);
      waiter.resolve(end);
    }
  }
}
