// Connections for long polls, lent to one poll at a time: a poll blocks every later request on its connection.
import { limits } from '../kafka-limits.ts';
import type { Fetcher } from './fetcher.ts';

export class Pollers {
  readonly #make: () => Fetcher;
  readonly #idle: Fetcher[] = [];
  readonly #lent = new Set<Fetcher>();
  /**
   * How many polls have failed. A connection from before the last failure may have stale metadata, and would notice
   * that only at its time limit.
   */
  #failures = 0;
  #closed = false;

  constructor(make: () => Fetcher) {
    this.#make = make;
  }

  /** Lends a connection for as long as the poll takes. */
  async poll<T>(use: (fetcher: Fetcher) => Promise<T>): Promise<T> {
    const fetcher = this.#idle.pop() ?? this.#make();
    const failures = this.#failures;
    this.#lent.add(fetcher);
    try {
      return await use(fetcher);
    } catch (error) {
      this.#failures++;
      for (const idle of this.#idle.splice(0)) idle.close();
      throw error;
    } finally {
      this.#lent.delete(fetcher);
      if (this.#closed || failures < this.#failures || this.#idle.length >= limits.idlePollers) fetcher.close();
      else this.#idle.push(fetcher);
    }
  }

  close(): void {
    this.#closed = true;
    for (const fetcher of [...this.#idle.splice(0), ...this.#lent]) fetcher.close();
  }
}
