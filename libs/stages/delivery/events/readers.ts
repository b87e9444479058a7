// Limits the range reads of the process to a few at a time, in the order of the requests.
import { Fifo } from '../../../primitives/collections/fifo.ts';

export class Readers {
  readonly #waiting = new Fifo<() => void>();
  #free: number;

  constructor(readersMax: number) {
    this.#free = readersMax;
  }

  async run<T>(read: () => Promise<T>): Promise<T> {
    if (this.#free === 0) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    else this.#free--;
    try {
      return await read();
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#free++;
      else next();
    }
  }
}
