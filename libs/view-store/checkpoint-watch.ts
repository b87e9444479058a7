// Lets many callers wait until the views have passed a record, with shared reads of the checkpoint.
import { setTimeout as delay } from 'node:timers/promises';
import type { Positions } from '../log/log.ts';

/** The wait between reads: the views update their checkpoint milliseconds after they show a batch of records. */
const lookMs = 5;

interface Waiting {
  /** `topic/partition` */
  readonly position: string;
  readonly offset: number;
  /** On the monotonic clock. */
  readonly deadline: number;
  readonly resolve: (end: number) => void;
  readonly reject: (error: unknown) => void;
}

export class CheckpointWatch {
  readonly #read: () => Promise<Positions>;
  readonly #waiting = new Set<Waiting>();
  #looking = false;

  constructor(read: () => Promise<Positions>) {
    this.#read = read;
  }

  /**
   * Resolves with the checkpoint of `position` when it has passed `offset`, or after `timeoutMs`. Throws what the store
   * throws.
   */
  passed(position: string, offset: number, timeoutMs: number): Promise<number> {
    const { promise, resolve, reject } = Promise.withResolvers<number>();
    this.#waiting.add({ position, offset, deadline: performance.now() + timeoutMs, resolve, reject });
    if (!this.#looking) void this.#look();
    return promise;
  }

  async #look(): Promise<void> {
    this.#looking = true;
    while (this.#waiting.size > 0) {
      try {
        this.#tell(await this.#read());
      } catch (error) {
        for (const { reject } of this.#waiting) reject(error);
        this.#waiting.clear();
      }
      if (this.#waiting.size > 0) await delay(lookMs);
    }
    this.#looking = false;
  }

  #tell(positions: Positions): void {
    for (const waiting of this.#waiting) {
      const end = positions[waiting.position] ?? 0;
      if (end <= waiting.offset && performance.now() <= waiting.deadline) continue;
      this.#waiting.delete(waiting);
      waiting.resolve(end);
    }
  }
}
