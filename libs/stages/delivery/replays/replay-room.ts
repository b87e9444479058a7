// Limits the replays that run in the process; waiting ones get places in the order in which they came.
import type { DeliveryLimits } from '../delivery-limits.ts';

export class ReplayRoom {
  readonly #limits: Pick<DeliveryLimits, 'replaysRunningMax' | 'replaySelectedMax'>;
  /** How many event numbers each running replay remembers. */
  readonly #running = new Map<object, number>();
  /** Running ones to whose webhook nothing is sent: they leave their place to others. */
  readonly #paused = new Set<object>();
  /** Replays that wait for a place; each takes one or leaves. */
  readonly #waiting = new Map<object, () => void>();

  constructor(limits: Pick<DeliveryLimits, 'replaysRunningMax' | 'replaySelectedMax'>) {
    this.#limits = limits;
  }

  /** False: there is no place yet, and `free` is called when there may be one. */
  enter(replay: object, free: () => void): boolean {
    if (this.#running.has(replay)) return true;
    if (this.#isFull) {
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

  pause(replay: object): void {
    if (!this.#running.has(replay) || this.#paused.has(replay)) return;
    this.#paused.add(replay);
    this.#admit();
  }

  /** It goes on at once: there may be more than the limit until others end. */
  resume(replay: object): void {
    this.#paused.delete(replay);
  }

  leave(replay: object): void {
    this.#waiting.delete(replay);
    this.#paused.delete(replay);
    if (this.#running.delete(replay)) this.#admit();
  }

  get #isFull(): boolean {
    return this.#running.size - this.#paused.size >= this.#limits.replaysRunningMax;
  }

  #admit(): void {
    // A replay that cannot begin now leaves its place to the next one, and enters again by itself.
    for (const [next, free] of this.#waiting) {
      if (this.#isFull) return;
      this.#waiting.delete(next);
      free();
    }
  }
}
