// A queue whose shift takes constant time: Array.shift moves all other items.

/**
 * Empty slots in front are removed when there are this many, and as many as items: removing fewer costs more than it
 * saves.
 */
const cutMin = 64;

export class Fifo<T> {
  #items: (T | undefined)[] = [];
  #head = 0;

  get length(): number {
    return this.#items.length - this.#head;
  }

  push(item: T): void {
    this.#items.push(item);
  }

  peek(): T | undefined {
    return this.#items[this.#head];
  }

  /** The item `index` places after the first; undefined beyond the last. */
  at(index: number): T | undefined {
    return this.#items[this.#head + index];
  }

  /** The first `count` items, or all if there are fewer. */
  first(count: number): T[] {
    return this.#items.slice(this.#head, this.#head + count) as T[];
  }

  shift(): T | undefined {
    if (this.length === 0) return undefined;
    const item = this.#items[this.#head];
    this.#items[this.#head++] = undefined;
    if (this.#head >= cutMin && this.#head >= this.length) {
      this.#items = this.#items.slice(this.#head);
      this.#head = 0;
    }
    return item;
  }

  /** Inserts the items before the first, in this order. */
  unshiftAll(items: readonly T[]): void {
    this.#items = [...items, ...this.#items.slice(this.#head)];
    this.#head = 0;
  }

  /** Returns a copy, first to last. */
  toArray(): T[] {
    return this.#items.slice(this.#head) as T[];
  }

  /** Removes and returns all items. */
  drain(): T[] {
    const items = this.toArray();
    this.#items = [];
    this.#head = 0;
    return items;
  }
}
