// Limits work to `atOnce` pieces at a time. Waiting groups take turns, each in its own order; one group may be limited
// to fewer.
import { SharedSlots } from '../../../../primitives/sharing/shared-slots.ts';
import { BoundedFairQueue, type QueueLimits } from './bounded-fair-queue.ts';

export interface FairTurnsOptions extends QueueLimits {
  readonly atOnce: number;
  /** The same for one group; as many as for all by default. */
  readonly perOwnerAtOnce?: number;
  /** The error for a caller when too many wait. */
  readonly full: () => Error;
}

/**
 * Gives up the turn, waits for something that needs none, and takes another turn. Throws `full` if too many of a group
 * or of all do so, bounded like those that wait for a turn; then, or if the wait fails, the turn is over.
 */
export type YieldTurn = <T>(wait: () => Promise<T>) => Promise<T>;

export class FairTurns {
  readonly #waiting: BoundedFairQueue<() => void>;
  readonly #tooManyError: () => Error;
  readonly #perOwnerAtOnce: number;
  /** Turns that are taken, by group. */
  readonly #activeByGroup = new Map<string, number>();
  readonly #yieldedSlots: SharedSlots;
  #freeTurns: number;

  constructor({ atOnce, perOwnerAtOnce = atOnce, full, ...limits }: FairTurnsOptions) {
    this.#freeTurns = atOnce;
    this.#perOwnerAtOnce = perOwnerAtOnce;
    this.#tooManyError = full;
    this.#waiting = new BoundedFairQueue(limits);
    this.#yieldedSlots = new SharedSlots({ all: limits.totalMax, each: limits.perOwnerMax });
  }

  /** Runs the work in a turn. If one is free, the work begins before this returns. */
  async run<T>(group: string, work: (yieldTurn: YieldTurn) => Promise<T>): Promise<T> {
    if (!this.#tryAcquire(group)) await this.#waitForTurn(group);
    let holdsTurn = true;
    const yieldTurn: YieldTurn = async (wait) => {
      this.#release(group);
      holdsTurn = false;
      const result = await this.#withYieldedSlot(group, wait);
      if (!this.#tryAcquire(group)) await this.#waitForTurn(group);
      holdsTurn = true;
      return result;
    };
    try {
      return await work(yieldTurn);
    } finally {
      if (holdsTurn) this.#release(group);
    }
  }

  async #withYieldedSlot<T>(group: string, wait: () => Promise<T>): Promise<T> {
    if (!this.#yieldedSlots.tryAcquire(group)) throw this.#tooManyError();
    try {
      return await wait();
    } finally {
      this.#yieldedSlots.release(group);
    }
  }

  /** Takes a turn if one is free for the group. */
  #tryAcquire(group: string): boolean {
    const isFree = this.#freeTurns > 0 && this.#canAcquire(group);
    if (isFree) this.#acquire(group);
    return isFree;
  }

  #waitForTurn(group: string): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const begin = (): void => {
      this.#acquire(group);
      resolve();
    };
    if (this.#waiting.add(group, begin)) return promise;
    throw this.#tooManyError();
  }

  #canAcquire(group: string): boolean {
    return (this.#activeByGroup.get(group) ?? 0) < this.#perOwnerAtOnce;
  }

  #acquire(group: string): void {
    this.#freeTurns--;
    this.#activeByGroup.set(group, (this.#activeByGroup.get(group) ?? 0) + 1);
  }

  #release(group: string): void {
    this.#freeTurns++;
    const active = (this.#activeByGroup.get(group) ?? 1) - 1;
    if (active === 0) this.#activeByGroup.delete(group);
    else this.#activeByGroup.set(group, active);
    this.#waiting.take((one) => this.#canAcquire(one))?.();
  }
}
