// A queue of the items of several owners, who take turns, with limits for each owner and for all.
import { FairQueue } from '../../../../primitives/sharing/fair-queue.ts';

export interface QueueLimits {
  readonly perOwnerMax: number;
  readonly totalMax: number;
}

interface Entry<T> {
  readonly owner: string;
  readonly item: T;
}

export class BoundedFairQueue<T> {
  readonly #limits: QueueLimits;
  readonly #entries = new FairQueue<Entry<T>>(({ owner }) => owner);

  constructor(limits: QueueLimits) {
    this.#limits = limits;
  }

  get size(): number {
    return this.#entries.size;
  }

  /** False: the queue is full, for this owner or for all. */
  add(owner: string, item: T): boolean {
    const { perOwnerMax, totalMax } = this.#limits;
    if (this.#entries.sizeOf(owner) >= perOwnerMax || this.size >= totalMax) return false;
    this.#entries.add({ owner, item });
    return true;
  }

  /** Removes and returns the next item of an owner that `canTake`; undefined when none waits. */
  take(canTake?: (owner: string) => boolean): T | undefined {
    return this.#entries.take(canTake)?.item;
  }
}
