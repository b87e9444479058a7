// Limits the replays that run in the process; waiting ones get places in the order in which they came.
import type { DeliveryLimits } from '../delivery-limits.ts';

/** What tells whose a replay is. */
interface OfWorkspace {
  readonly workspace: string;
}

export class ReplayRoom {
  readonly #limits: Pick<DeliveryLimits, 'replaysRunningMax' | 'replaySelectedMax'>;
  /** How many event numbers each running replay remembers. */
  readonly #running = new Map<OfWorkspace, number>();
  /** Running ones to whose webhook nothing is sent: they leave their place to others. */
  readonly #paused = new Set<OfWorkspace>();
  /** How many numbers the replays of each workspace remember that has any, and of all. */
  readonly #held = new Map<string, number>();
  #heldByAll = 0;
  /** Replays that wait for a place; each takes one or leaves. */
  readonly #waiting = new Map<OfWorkspace, () => void>();

  constructor(limits: Pick<DeliveryLimits, 'replaysRunningMax' | 'replaySelectedMax'>) {
    this.#limits = limits;
  }

  /** False: there is no place yet, and `free` is called when there may be one. */
  enter(replay: OfWorkspace, free: () => void): boolean {
    if (this.#running.has(replay)) return true;
    if (this.#isFull) {
      this.#waiting.set(replay, free);
      return false;
    }
    this.#waiting.delete(replay);
    this.#running.set(replay, 0);
    return true;
  }

  /**
   * Whether the replay may remember this many numbers. A workspace gets half of what the others leave: however much one
   * asks for, there is something left for the next.
   */
  hold(replay: OfWorkspace, count: number): boolean {
    if (!this.#running.has(replay)) return false;
    this.#note(replay, count);
    const own = this.#held.get(replay.workspace) ?? 0;
    return own <= (this.#limits.replaySelectedMax - (this.#heldByAll - own)) / 2;
  }

  pause(replay: OfWorkspace): void {
    if (!this.#running.has(replay) || this.#paused.has(replay)) return;
    this.#paused.add(replay);
    this.#admit();
  }

  /** It continues at once: there may be more than the limit until others end. */
  resume(replay: OfWorkspace): void {
    this.#paused.delete(replay);
  }

  leave(replay: OfWorkspace): void {
    this.#waiting.delete(replay);
    this.#paused.delete(replay);
    if (this.#running.has(replay)) this.#note(replay, 0);
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

  #note(replay: OfWorkspace, count: number): void {
    const change = count - (this.#running.get(replay) ?? 0);
    const own = (this.#held.get(replay.workspace) ?? 0) + change;
    this.#running.set(replay, count);
    this.#heldByAll += change;
    if (own === 0) this.#held.delete(replay.workspace);
    else this.#held.set(replay.workspace, own);
  }
}
