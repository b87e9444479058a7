// The clocks behind one isolate's timers.

interface Running {
  readonly clock: NodeJS.Timeout;
  readonly owner: number;
}

export class Timers {
  readonly #running = new Map<number, Running>();
  readonly #max: number;
  readonly #onTime: (id: number, owner: number) => void;

  constructor(max: number, onTime: (id: number, owner: number) => void) {
    this.#max = max;
    this.#onTime = onTime;
  }

  get size(): number {
    return this.#running.size;
  }

  /** Starts a timer, or starts it again. */
  set(id: number, delayMs: number, owner: number): void {
    this.delete(id);
    if (this.#running.size >= this.#max) return;
    const clock = setTimeout(() => {
      this.#running.delete(id);
      this.#onTime(id, owner);
    }, delayMs);
    this.#running.set(id, { clock, owner });
  }

  delete(id: number): void {
    clearTimeout(this.#running.get(id)?.clock);
    this.#running.delete(id);
  }

  clear(): void {
    for (const { clock } of this.#running.values()) clearTimeout(clock);
    this.#running.clear();
  }
}
