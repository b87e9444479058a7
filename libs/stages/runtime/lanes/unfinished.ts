// The triggers read and not yet on the log as finished: the oldest of them is where the mark stands.
import { Fifo } from './fifo.ts';

export class Unfinished {
  /** Offsets alone: of most of what waits nothing else is kept. */
  readonly #offsets = new Fifo<number>();
  /** Finished before an older one was. */
  readonly #done = new Set<number>();
  #next: number;

  constructor(next: number) {
    this.#next = next;
  }

  /** Those that are finished and stand above one that is not. */
  get doneCount(): number {
    return this.#done.size;
  }

  /** In offset order. */
  add(offset: number): void {
    this.#offsets.push(offset);
  }

  done(offset: number): void {
    this.#done.add(offset);
  }

  /** Everything below `next` has been read. */
  readTo(next: number): void {
    this.#next = next;
  }

  /** The oldest offset that is not done, or where reading goes on. */
  mark(): number {
    for (let oldest = this.#offsets.peek(); oldest !== undefined && this.#done.delete(oldest);) {
      this.#offsets.shift();
      oldest = this.#offsets.peek();
    }
    return this.#offsets.peek() ?? this.#next;
  }
}
