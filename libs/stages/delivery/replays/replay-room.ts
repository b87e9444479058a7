// Limits the replays that run in the process, in the order in which they came.
import type { DeliveryLimits } from '../delivery-limits.ts';

export class ReplayRoom {
  readonly #limits: Pick<DeliveryLimits, 'replaysRunningMax' | 'replaySelectedMax'>;
  /** How many numbers of events each remembers. */
  readonly #running = new Map<object, number>();
  /** Who waits for a place: each takes one or leaves. */
  readonly #waiting = new Map<object, () => void>();

  constructor(limits: Pick<DeliveryLimits, 'replaysRunningMax' | 'replaySelectedMax'>) {
    this.#limits = limits;
  }

  /** False: there is no place yet, and `free` is called when there may be one. */
  enter(replay: object, free: () => void): boolean {
    if (this.#running.has(replay)) return true;
    if (this.#running.size >= this.#limits.replaysRunningMax) {
      this.#waiting.set(replay, free);
      return false;
    }
    this.#waiting.delete(replay);
    this.#running.set(replay, 0);
    return true;
  }

  /** Whether the replay may remember this many numbers. */
  hold(replay: object, count: number): boolean {
    if (!this.#running.has(replay)) return false;
    this.#running.set(replay, count);
    let held = 0;
    for (const one of this.#running.values()) held += one;
    return held <= this.#limits.replaySelectedMax;
  }

  leave(replay: object): void {
    this.#waiting.delete(replay);
    if (!this.#running.delete(replay)) return;
    // Who cannot begin now leaves the place to the next one, and comes again by itself.
    for (const [next, free] of [...this.#waiting]) {
      if (this.#running.size >= this.#limits.replaysRunningMax) return;
      this.#waiting.delete(next);
      free();
    }
  }
}
