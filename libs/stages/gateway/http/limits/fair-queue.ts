// A queue that serves its owners in turn, one item each, so that no owner's many items delay another's.

export interface QueueLimits {
  readonly perOwnerMax: number;
  readonly totalMax: number;
}

export class FairQueue<T> {
  readonly #limits: QueueLimits;
  /** Items by owner, in the order of the owners' turns. */
  readonly #itemsByOwner = new Map<string, T[]>();
  #size = 0;

  constructor(limits: QueueLimits) {
    this.#limits = limits;
  }

  get size(): number {
    return this.#size;
  }

  /** False: the queue is full, for this owner or for all. */
  add(owner: string, item: T): boolean {
    const items = this.#itemsByOwner.get(owner) ?? [];
    if (items.length >= this.#limits.perOwnerMax || this.#size >= this.#limits.totalMax) return false;
    items.push(item);
    this.#itemsByOwner.set(owner, items);
    this.#size++;
    return true;
  }

  /** Undefined: nothing waits, or only items of owners that may not come yet. */
  next(isEligible: (owner: string) => boolean = () => true): T | undefined {
    for (const [owner, items] of this.#itemsByOwner) {
      if (!isEligible(owner)) continue;
      const item = items.shift();
      this.#itemsByOwner.delete(owner);
      if (items.length > 0) this.#itemsByOwner.set(owner, items);
      this.#size--;
      return item;
    }
    return undefined;
  }
}
