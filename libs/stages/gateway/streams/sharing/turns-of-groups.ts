// Limits work to `atOnce` pieces at a time; waiting groups take turns, each in its own order.
import { PortError } from '../../../../domain/port-error.ts';
import { FairQueue, type QueueLimits } from '../../http/fair-queue.ts';

export class Turns {
  readonly #waiting: FairQueue<() => void>;
  #free: number;

  constructor(atOnce: number, limits: QueueLimits) {
    this.#free = atOnce;
    this.#waiting = new FairQueue(limits);
  }

  /** Throws PortError `unavailable` when too many wait. */
  async take<T>(group: string, work: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free--;
    else await this.#wait(group);
    try {
      return await work();
    } finally {
      const next = this.#waiting.next();
      if (next === undefined) this.#free++;
      else next();
    }
  }

  #wait(group: string): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    if (this.#waiting.add(group, resolve)) return promise;
    throw new PortError('unavailable', 'too many streams wait for their turn: it is tried again');
  }
}
