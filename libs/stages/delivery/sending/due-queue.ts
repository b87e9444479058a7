// What waits for its time, earliest first: a binary heap under one timer.

/** The longest that a timer of Node can wait; whatever is due later is looked at again then. */
const timerMaxMs = 2 ** 31 - 1;

export interface Due {
  readonly dueAt: number;
}

export class DueQueue<T extends Due> {
  readonly #heap: T[] = [];
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
    this.#heap.push(item);
    this.#rise(this.#heap.length - 1);
    if (this.#heap[0] === item) this.#arm();
  }

  /** Nothing becomes due any more. */
  close(): void {
    clearTimeout(this.#timer);
    this.#heap.length = 0;
  }

  #arm(): void {
    clearTimeout(this.#timer);
    const first = this.#heap[0];
    if (first === undefined) return;
    const waitMs = Math.min(Math.max(first.dueAt - this.#now(), 0), timerMaxMs);
    this.#timer = setTimeout(() => this.#fire(), waitMs);
  }

  #fire(): void {
    const now = this.#now();
    for (let first = this.#heap[0]; first !== undefined && first.dueAt <= now; first = this.#heap[0]) {
      this.#removeFirst();
      this.#onDue(first);
    }
    this.#arm();
  }

  #removeFirst(): void {
    const last = this.#heap.pop();
    if (last === undefined || this.#heap.length === 0) return;
    this.#heap[0] = last;
    this.#sink();
  }

  #rise(from: number): void {
    for (let at = from; at > 0;) {
      const parent = (at - 1) >> 1;
      if (this.#dueAt(parent) <= this.#dueAt(at)) return;
      this.#swap(parent, at);
      at = parent;
    }
  }

  #sink(): void {
    for (let at = 0; ;) {
      const left = 2 * at + 1;
      const child = this.#dueAt(left + 1) < this.#dueAt(left) ? left + 1 : left;
      if (this.#dueAt(at) <= this.#dueAt(child)) return;
      this.#swap(at, child);
      at = child;
    }
  }

  #dueAt(index: number): number {
    return this.#heap[index]?.dueAt ?? Number.POSITIVE_INFINITY;
  }

  #swap(a: number, b: number): void {
    const [first, second] = [this.#heap[a], this.#heap[b]];
    if (first === undefined || second === undefined) return;
    this.#heap[a] = second;
    this.#heap[b] = first;
  }
}
