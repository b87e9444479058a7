// Runs the clocks of one isolate's timers. Fires due timers one by one, so that thousands at once delay others in the
// process no longer than a single one does.

import type { TimerHandler } from './isolate/mailbox.ts';

interface Timer {
  readonly owner: number;
  isRef: boolean;
}

interface RunningTimer extends Timer {
  readonly clock: NodeJS.Timeout;
}

export class IsolateTimers implements TimerHandler {
  readonly #running = new Map<number, RunningTimer>();
  /** Due but not yet fired, in the order in which they became due. */
  readonly #due = new Map<number, Timer>();
  readonly #max: number;
  readonly #fire: (id: number, owner: number) => Promise<void>;
  #firing = false;
  #closed = false;

  /** `max`: how many timers can be set at once. `fire` must not reject. */
  constructor(max: number, fire: (id: number, owner: number) => Promise<void>) {
    this.#max = max;
    this.#fire = fire;
  }

  get size(): number {
    return this.#running.size + this.#due.size;
  }

  /** How many timers of the owner have not fired yet, without those that were unref'd. */
  countOf(owner: number): number {
    let count = 0;
    for (const timers of [this.#running, this.#due])
      for (const timer of timers.values()) if (timer.owner === owner && timer.isRef) count++;
    return count;
  }

  /** Starts or restarts a timer. */
  set(id: number, delayMs: number, owner: number): void {
    this.delete(id);
    if (this.#closed || this.size >= this.#max) return;
    const clock = setTimeout(() => {
      this.#running.delete(id);
      this.#due.set(id, timer);
      void this.#fireAll();
    }, delayMs);
    const timer: RunningTimer = { clock, owner, isRef: true };
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

  /** Clears all timers; none can be set any more. */
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
