// A queue by caller: callers take turns, each with its oldest item, so that a long queue of one delays no other.

export class RoundRobinQueue<T> {
  /** The caller whose turn it is comes first. */
  readonly #callers = new Map<string, T[]>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  push(caller: string, item: T): void {
    const items = this.#callers.get(caller);
    if (items) items.push(item);
    else this.#callers.set(caller, [item]);
    this.#size++;
  }

  /** Removes and returns the oldest item of the first caller that `canHave` a turn. */
  shift(canHave: (caller: string) => boolean = () => true): T | undefined {
    for (const [caller, items] of this.#callers) {
      if (!canHave(caller)) continue;
      const item = items.shift();
      this.#callers.delete(caller);
      if (items.length > 0) this.#callers.set(caller, items);
      this.#size--;
      return item;
    }
    return undefined;
  }
}
