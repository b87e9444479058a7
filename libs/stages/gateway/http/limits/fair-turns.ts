// Limits work to `atOnce` pieces at a time. Waiting groups take turns, each in its own order; one group may be limited
// to fewer.
import { Shares } from '../../../../primitives/sharing/shares.ts';
import { FairQueue, type QueueLimits } from './fair-queue.ts';

export interface FairTurnsOptions extends QueueLimits {
  readonly atOnce: number;
  /** The same for one group; as many as for all by default. */
  readonly ofOwnerAtOnce?: number;
  /** The error for a caller when too many wait. */
  readonly full: () => Error;
}

/**
 * Gives up the turn, waits for something that needs none, and takes another turn. Throws `full` if too many of a group
 * or of all do so, bounded like those that wait for a turn; then, or if the wait fails, the turn is over.
 */
export type Away = <T>(wait: () => Promise<T>) => Promise<T>;

export class FairTurns {
  readonly #waiting: FairQueue<() => void>;
  readonly #full: () => Error;
  readonly #ofOwnerAtOnce: number;
  /** Turns that are taken, by group. */
  readonly #taken = new Map<string, number>();
  readonly #away: Shares;
  #free: number;

  constructor({ atOnce, ofOwnerAtOnce = atOnce, full, ...limits }: FairTurnsOptions) {
    this.#free = atOnce;
    this.#ofOwnerAtOnce = ofOwnerAtOnce;
    this.#full = full;
    this.#waiting = new FairQueue(limits);
    this.#away = new Shares({ all: limits.allMax, each: limits.ofOwnerMax });
  }

  /** Runs the work in a turn. If one is free, the work begins before this returns. */
  async take<T>(group: string, work: (away: Away) => Promise<T>): Promise<T> {
    if (!this.#takesAtOnce(group)) await this.#wait(group);
    let isTaken = true;
    const away: Away = async (wait) => {
      this.#leave(group);
      isTaken = false;
      const found = await this.#withPlace(group, wait);
      if (!this.#takesAtOnce(group)) await this.#wait(group);
      isTaken = true;
      return found;
    };
    try {
      return await work(away);
    } finally {
      if (isTaken) this.#leave(group);
    }
  }

  async #withPlace<T>(group: string, wait: () => Promise<T>): Promise<T> {
    if (!this.#away.take(group)) throw this.#full();
    try {
      return await wait();
    } finally {
      this.#away.leave(group);
    }
  }

  /** Takes a turn if one is free for the group. */
  #takesAtOnce(group: string): boolean {
    const isFree = this.#free > 0 && this.#mayTake(group);
    if (isFree) this.#give(group);
    return isFree;
  }

  #wait(group: string): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const begin = (): void => {
      this.#give(group);
      resolve();
    };
    if (this.#waiting.add(group, begin)) return promise;
    throw this.#full();
  }

  #mayTake(group: string): boolean {
    return (this.#taken.get(group) ?? 0) < this.#ofOwnerAtOnce;
  }

  #give(group: string): void {
    this.#free--;
    this.#taken.set(group, (this.#taken.get(group) ?? 0) + 1);
  }

  #leave(group: string): void {
    this.#free++;
    const taken = (this.#taken.get(group) ?? 1) - 1;
    if (taken === 0) this.#taken.delete(group);
    else this.#taken.set(group, taken);
    this.#waiting.next((one) => this.#mayTake(one))?.();
  }
}
