// Queues items until their time, earliest first: a heap with one timer.
import { DueHeap } from '../../../domain/timer/due-heap.ts';

/** The clock is checked at least this often: timers stop while the machine sleeps, but the clock might not. */
const clockCheckMs = 60_000;

export interface Due {
  readonly dueAt: number;
}

export class DueQueue<T extends Due> {
  readonly #heap = new DueHeap<T>();
  readonly #now: () => number;
  readonly #onDue: (item: T) => void;
  #timer: NodeJS.Timeout | undefined;

  constructor(now: () => number, onDue: (item: T) => void) {
    this.#now = now;
    this.#onDue = onDue;
  }

  get length(): number {
    return this.#heap.length;
  }

  add(item: T): void {
    this.#heap.push(item.dueAt, item);
    if (this.#heap.first?.item === item) this.#setTimer();
  }

  /** Ends the queue: nothing becomes due any more. */
  close(): void {
    clearTimeout(this.#timer);
    this.#heap.clear();
  }

  #setTimer(): void {
    clearTimeout(this.#timer);
    const { first } = this.#heap;
    if (first === undefined) return;
    const waitMs = Math.min(Math.max(first.due - this.#now(), 0), clockCheckMs);
    this.#timer = setTimeout(() => this.#runDue(), waitMs);
  }

  #runDue(): void {
    const now = this.#now();
    for (let { first } = this.#heap; first !== undefined && first.due <= now; first = this.#heap.first) {
      this.#heap.pop();
      this.#onDue(first.item);
    }
    this.#setTimer();
  }
}
