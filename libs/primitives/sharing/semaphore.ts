// Runs at most N tasks at once; of the others, owners take turns, and the tasks of each owner begin in order.
import { FairQueue } from './fair-queue.ts';

interface QueuedTask {
  readonly owner: string;
  readonly start: () => void;
}

export class Semaphore {
  readonly #queue = new FairQueue<QueuedTask>(({ owner }) => owner);
  #freeSlots: number;

  constructor(concurrencyMax: number) {
    this.#freeSlots = concurrencyMax;
  }

  /** `owner`: whose turn it uses; tasks without an owner share one turn. */
  async run<T>(task: () => Promise<T>, owner = ''): Promise<T> {
    if (this.#freeSlots === 0) await new Promise<void>((start) => this.#queue.add({ owner, start }));
    else this.#freeSlots--;
    try {
      return await task();
    } finally {
      const next = this.#queue.take();
      if (next === undefined) this.#freeSlots++;
      else next.start();
    }
  }
}
