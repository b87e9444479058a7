// Triggers that were read and whose end is not on the log yet: the mark is at the oldest of them.
import { Fifo } from '../../../primitives/collections/fifo.ts';

/** Finished offsets are removed together, once there are this many and as many as others: each costs the same. */
const compactAt = 1024;

export class Unfinished {
  /** Offsets only: nothing else is kept of most of what waits. */
  #offsets = new Fifo<number>();
  /** Finished before an older one, and still among the offsets. */
  #done = new Set<number>();
  #next: number;

  constructor(next: number) {
    this.#next = next;
  }

  /** Offsets held: at most twice the unfinished ones plus about a thousand, however many later ones are finished. */
  get held(): number {
    return this.#offsets.length;
  }

  /** Call in the order of offsets. */
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

  /** The oldest offset that is not done, or the next one to read. */
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
