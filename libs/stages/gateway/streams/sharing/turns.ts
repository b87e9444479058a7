// So many at once, and whoever waits has its turn with its group: one group after the other, each in its own order.

export class Turns {
  #free: number;
  readonly #waiting = new Map<string, (() => void)[]>();

  constructor(atOnce: number) {
    this.#free = atOnce;
  }

  /** Who waits is bounded by who may ask. */
  async take<T>(group: string, work: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free--;
    else await new Promise<void>((resolve) => this.#wait(group, resolve));
    try {
      return await work();
    } finally {
      const next = this.#next();
      if (next === undefined) this.#free++;
      else next();
    }
  }

  #wait(group: string, resolve: () => void): void {
    const queue = this.#waiting.get(group);
    if (queue === undefined) this.#waiting.set(group, [resolve]);
    else queue.push(resolve);
  }

  #next(): (() => void) | undefined {
    for (const [group, queue] of this.#waiting) {
      const next = queue.shift();
      this.#waiting.delete(group);
      if (queue.length > 0) this.#waiting.set(group, queue);
      return next;
    }
    return undefined;
  }
}
