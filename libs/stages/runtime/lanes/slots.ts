// A bound on how much runs at once, given out in the order of asking.
import { Fifo } from './fifo.ts';

export class Slots {
  readonly #waiting = new Fifo<() => void>();
  #free: number;

  constructor(count: number) {
    this.#free = count;
  }

  /** Calls `begin` at once when a slot is free, else when one becomes free. Each `begin` must lead to one `release`. */
  take(begin: () => void): void {
    if (this.#free === 0) {
      this.#waiting.push(begin);
      return;
    }
    this.#free--;
    begin();
  }

  release(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#free++;
    else next();
  }
}
