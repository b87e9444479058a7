// The clocks behind one isolate's timers. Due timers are fired one after another, so that thousands of them at once
// keep others in the process waiting no longer than one of them takes.

import type { TimerDoor } from './isolate/mailbox.ts';

interface Timer {
  readonly owner: number;
  isRef: boolean;
}

interface Running extends Timer {
  readonly clock: NodeJS.Timeout;
}

export class IsolateTimers implements TimerDoor {
  readonly #running = new Map<number, Running>();
  /** Due and not fired yet, in the order in which they came due. */
  readonly #due = new Map<number, Timer>();
  readonly #max: number;
  readonly #fire: (id: number, owner: number) => Promise<void>;
  #firing = false;
  #closed = false;

  /** `fire` must not reject. */
  constructor(max: number, fire: (id: number, owner: number) => Promise<void>) {
    this.#max = max;
    this.#fire = fire;
  }

  get size(): number {
    return this.#running.size + this.#due.size;
  }

  /** How many have been set for the owner and not fired, without those of which nobody minds. */
  countOf(owner: number): number {
    let count = 0;
    for (const timers of [this.#running, this.#due])
      for (const timer of timers.values()) if (timer.owner === owner && timer.isRef) count++;
    return count;
  }

  /** Starts a timer, or starts it again. */
  set(id: number, delayMs: number, owner: number): void {
    this.delete(id);
    if (this.#closed || this.size >= this.#max) return;
    const clock = setTimeout(() => {
      this.#running.delete(id);
      this.#due.set(id, timer);
      void this.#fireAll();
    }, delayMs);
    const timer: Running = { clock, owner, isRef: true };
    this.#running.set(id, timer);
  }

  unref(id: number): void {
    const timer = this.#running.get(id) ?? this.#due.get(id);
    if (timer !== undefined) timer.isRef = false;
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

  /** None can be set any more. */
  close(): void {
    this.#closed = true;
    this.clear();
  }

  async #fireAll(): Promise<void> {
    if (this.#firing) return;
    this.#firing = true;
    for (let first = this.#first(); first !== undefined; first = this.#first()) {
      const [id, { owner }] = first;
      this.#due.delete(id);
      await this.#fire(id, owner);
    }
    this.#firing = false;
  }

  #first(): [id: number, timer: Timer] | undefined {
    return this.#due.entries().next().value;
  }
}
