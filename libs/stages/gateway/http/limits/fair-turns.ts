// Limits work to `atOnce` pieces at a time; waiting groups take turns, each in its own order.
import { FairQueue, type QueueLimits } from './fair-queue.ts';

export interface FairTurnsOptions extends QueueLimits {
  readonly atOnce: number;
  /** What a caller is told when too many wait. */
  readonly full: () => Error;
}

export class FairTurns {
  readonly #waiting: FairQueue<() => void>;
  readonly #full: () => Error;
  #free: number;

  constructor({ atOnce, full, ...limits }: FairTurnsOptions) {
    this.#free = atOnce;
    this.#full = full;
    this.#waiting = new FairQueue(limits);
  }

  async take<T>(group: string, work: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free--;
    else await this.#wait(group);
    try {
      return await work();
    } finally {
      const next = this.#waiting.next();
      if (next === undefined) this.#free++;
      else next();
    }
  }

  #wait(group: string): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    if (this.#waiting.add(group, resolve)) return promise;
    throw this.#full();
  }
}
