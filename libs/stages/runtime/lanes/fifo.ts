// A queue whose shift costs the same however long it is: Array.shift moves everything behind.

/** Dead slots in front are dropped in one go once there are this many, and as many as live ones. */
const compactAt = 1024;

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

  /** The one so many behind the first. */
  at(index: number): T | undefined {
    return this.#items[this.#head + index];
  }

  /** The first so many. */
  first(count: number): T[] {
    return this.#items.slice(this.#head, this.#head + count) as T[];
  }

  shift(): T | undefined {
    if (this.length === 0) return undefined;
    const item = this.#items[this.#head];
    this.#items[this.#head++] = undefined;
    if (this.#head >= compactAt && this.#head >= this.length) {
      this.#items = this.#items.slice(this.#head);
      this.#head = 0;
    }
    return item;
  }

  /** Before the first, in this order. */
  putBack(items: readonly T[]): void {
    this.#items = [...items, ...this.#items.slice(this.#head)];
    this.#head = 0;
  }

  /** First to last, as they are now. */
  toArray(): T[] {
    return this.#items.slice(this.#head) as T[];
  }
}
