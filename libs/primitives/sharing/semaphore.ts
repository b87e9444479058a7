// Runs at most N tasks at once, the others in order.
import { Fifo } from '../collections/fifo.ts';

export class Semaphore {
  readonly #waiting = new Fifo<() => void>();
  #free: number;

  constructor(atOnceMax: number) {
    this.#free = atOnceMax;
  }

  async run<T>(task: () => Promise<T>): Promise<T> {
    if (this.#free === 0) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    else this.#free--;
    try {
      return await task();
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#free++;
      else next();
    }
  }
}
