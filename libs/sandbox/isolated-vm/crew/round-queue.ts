// What waits, by caller: each caller in turn gives one, its oldest, so that a long queue of one delays no other.

export class RoundQueue<T> {
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

  shift(): T | undefined {
    const [next] = this.#callers;
    if (!next) return undefined;
    const [caller, items] = next;
    const item = items.shift();
    this.#callers.delete(caller);
    if (items.length > 0) this.#callers.set(caller, items);
    this.#size--;
    return item;
  }
}
