// Limits work to `atOnce` pieces at a time; waiting groups take turns, each in its own order, and none need have all of them.
import { FairQueue, type QueueLimits } from './fair-queue.ts';

export interface FairTurnsOptions extends QueueLimits {
  readonly atOnce: number;
  /** Of one group; all of them by default. */
  readonly ofOwnerAtOnce?: number;
  /** What a caller is told when too many wait. */
  readonly full: () => Error;
}

export class FairTurns {
  readonly #waiting: FairQueue<() => void>;
  readonly #full: () => Error;
  readonly #ofOwnerAtOnce: number;
  /** By group. */
  readonly #taken = new Map<string, number>();
  #free: number;

  constructor({ atOnce, ofOwnerAtOnce = atOnce, full, ...limits }: FairTurnsOptions) {
    this.#free = atOnce;
    this.#ofOwnerAtOnce = ofOwnerAtOnce;
    this.#full = full;
    this.#waiting = new FairQueue(limits);
  }

  async take<T>(group: string, work: () => Promise<T>): Promise<T> {
    if (this.#free > 0 && this.#mayTake(group)) this.#give(group);
    else await this.#wait(group);
    try {
      return await work();
    } finally {
      this.#leave(group);
    }
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
