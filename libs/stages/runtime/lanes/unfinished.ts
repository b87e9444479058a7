// The triggers read and not yet on the log as finished: the oldest of them is where the mark stands.
import { Fifo } from '../../../primitives/fifo.ts';

/** Finished ones are taken out together once there are so many, and as many as the others: each costs the same, whoever waits. */
const compactAt = 1024;

export class Unfinished {
  /** Offsets alone: of most of what waits nothing else is kept. */
  #offsets = new Fifo<number>();
  /** Finished before an older one was, and still among the offsets. */
  #done = new Set<number>();
  #next: number;

  constructor(next: number) {
    this.#next = next;
  }

  /** Offsets that are held: some thousand beside twice those that are not finished, however many are finished above them. */
  get held(): number {
    return this.#offsets.length;
  }

  /** In offset order. */
  add(offset: number): void {
    this.#offsets.push(offset);
  }

  done(offset: number): void {
    this.#done.add(offset);
    if (this.#done.size > compactAt && this.#done.size * 2 > this.#offsets.length) this.#compact();
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

  #compact(): void {
    const left = new Fifo<number>();
    for (const offset of this.#offsets.toArray()) if (!this.#done.has(offset)) left.push(offset);
    this.#offsets = left;
    this.#done = new Set();
  }
}
