// A queue that serves its owners in turn, one item each, so that no owner's many items delay another's.

export interface QueueLimits {
  readonly ofOwnerMax: number;
  readonly allMax: number;
}

export class FairQueue<T> {
  readonly #limits: QueueLimits;
  /** Items by owner, in the order of the owners' turns. */
  readonly #waiting = new Map<string, T[]>();
  #size = 0;

  constructor(limits: QueueLimits) {
    this.#limits = limits;
  }

  get size(): number {
    return this.#size;
  }

  /** False: the queue is full, for this owner or for all. */
  add(owner: string, item: T): boolean {
    const own = this.#waiting.get(owner) ?? [];
    if (own.length >= this.#limits.ofOwnerMax || this.#size >= this.#limits.allMax) return false;
    own.push(item);
    this.#waiting.set(owner, own);
    this.#size++;
    return true;
  }

  /** Undefined: nothing waits, or only items of owners that may not come yet. */
  next(mayCome: (owner: string) => boolean = () => true): T | undefined {
    for (const [owner, own] of this.#waiting) {
      if (!mayCome(owner)) continue;
      const item = own.shift();
      this.#waiting.delete(owner);
      if (own.length > 0) this.#waiting.set(owner, own);
      this.#size--;
      return item;
    }
    return undefined;
  }
}
