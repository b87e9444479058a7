// The clocks behind one isolate's timers. Due timers are fired one after another, so that thousands of them at once
// keep others in the process waiting no longer than one of them takes.

interface Running {
  readonly clock: NodeJS.Timeout;
  readonly owner: number;
}

export class Timers {
  readonly #running = new Map<number, Running>();
  /** Due and not fired yet, with their owners, in the order in which they came due. */
  readonly #due = new Map<number, number>();
  readonly #max: number;
  readonly #fire: (id: number, owner: number) => Promise<void>;
  #firing = false;

  /** `fire` must not reject. */
  constructor(max: number, fire: (id: number, owner: number) => Promise<void>) {
    this.#max = max;
    this.#fire = fire;
  }

  get size(): number {
    return this.#running.size + this.#due.size;
  }

  /** Starts a timer, or starts it again. */
  set(id: number, delayMs: number, owner: number): void {
    this.delete(id);
    if (this.size >= this.#max) return;
    const clock = setTimeout(() => {
      this.#running.delete(id);
      this.#due.set(id, owner);
      void this.#fireAll();
    }, delayMs);
    this.#running.set(id, { clock, owner });
  }

  delete(id: number): void {
    clearTimeout(this.#running.get(id)?.clock);
    this.#running.delete(id);
    this.#due.delete(id);
  }

  clear(): void {
    for (const { clock } of this.#running.values()) clearTimeout(clock);
    this.#running.clear();
    this.#due.clear();
  }

  async #fireAll(): Promise<void> {
    if (this.#firing) return;
    this.#firing = true;
    for (let first = this.#first(); first !== undefined; first = this.#first()) {
      this.#due.delete(first[0]);
      await this.#fire(...first);
    }
    this.#firing = false;
  }

  #first(): [id: number, owner: number] | undefined {
    return this.#due.entries().next().value;
  }
}
