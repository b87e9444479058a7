// A heap: returns the least of its items first.

export class Heap<T> {
  readonly #items: T[] = [];
  readonly #isBefore: (a: T, b: T) => boolean;

  constructor(isBefore: (a: T, b: T) => boolean) {
    this.#isBefore = isBefore;
  }

  get size(): number {
    return this.#items.length;
  }

  push(item: T): void {
    const items = this.#items;
    let at = items.push(item) - 1;
    while (at > 0) {
      const above = (at - 1) >>> 1;
      const other = items[above] as T;
      if (!this.#isBefore(item, other)) break;
      items[at] = other;
      at = above;
    }
    items[at] = item;
  }

  /** Removes and returns the least item; undefined when the heap is empty. */
  pop(): T | undefined {
    const items = this.#items;
    const [first] = items;
    const last = items.pop();
    if (items.length > 0) this.#sink(last as T);
    return first;
  }

  #sink(item: T): void {
    const items = this.#items;
    let at = 0;
    for (;;) {
      const left = 2 * at + 1;
      if (left >= items.length) break;
      const isRight = left + 1 < items.length && this.#isBefore(items[left + 1] as T, items[left] as T);
      const below = isRight ? left + 1 : left;
      const other = items[below] as T;
      if (!this.#isBefore(other, item)) break;
      items[at] = other;
      at = below;
    }
    items[at] = item;
  }
}
