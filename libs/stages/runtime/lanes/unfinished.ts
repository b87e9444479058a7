// The triggers read and not yet on the log as finished: the oldest of them is where the mark stands.
import { Fifo } from './fifo.ts';

export interface Placed {
  readonly offset: number;
  done: boolean;
}

export class Unfinished {
  readonly #placed = new Fifo<Placed>();
  #next: number;

  constructor(next: number) {
    this.#next = next;
  }

  get length(): number {
    return this.#placed.length;
  }

  /** In offset order. */
  add(item: Placed): void {
    this.#placed.push(item);
  }

  /** Everything below `next` has been read. */
  readTo(next: number): void {
    this.#next = next;
  }

  /** The oldest offset that is not done, or where reading goes on. */
  mark(): number {
    while (this.#placed.peek()?.done === true) this.#placed.shift();
    return this.#placed.peek()?.offset ?? this.#next;
  }
}
