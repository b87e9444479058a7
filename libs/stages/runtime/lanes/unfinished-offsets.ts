// Tracks the triggers that were read and whose end is not on the log yet: the mark is at the oldest of them.
import { Fifo } from '../../../primitives/collections/fifo.ts';

/** Finished offsets are removed together, once they are more than this and than the others: constant cost for each. */
const compactAt = 1024;

export class UnfinishedOffsets {
  /** Only offsets: nothing else is kept of most triggers that wait. */
  #offsets = new Fifo<number>();
  /** Offsets that finished before an older one, and are still in `#offsets`. */
  #done = new Set<number>();
  #next: number;

  constructor(next: number) {
    this.#next = next;
  }

  /** The number of offsets held: at most twice the unfinished ones plus about a thousand. */
  get trackedCount(): number {
    return this.#offsets.length;
  }

  /** Call in the order of offsets. */
  add(offset: number): void {
    this.#offsets.push(offset);
  }

  markDone(offset: number): void {
    this.#done.add(offset);
    if (this.#done.size > compactAt && this.#done.size * 2 > this.#offsets.length) this.#compact();
  }

  /** Call when everything below `next` has been read. */
  markRead(next: number): void {
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
    const remaining = new Fifo<number>();
    for (const offset of this.#offsets.toArray()) if (!this.#done.has(offset)) remaining.push(offset);
    this.#offsets = remaining;
    this.#done = new Set();
  }
}
