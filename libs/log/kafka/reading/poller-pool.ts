// Connections for long polls, lent to one poll at a time: a poll blocks every later request on its connection.
import { limits } from '../kafka-limits.ts';
import type { Fetcher } from './fetcher.ts';

export class PollerPool {
  readonly #createFetcher: () => Fetcher;
  readonly #idle: Fetcher[] = [];
  readonly #inUse = new Set<Fetcher>();
  /**
   * How many polls have failed. A connection from before the last failure may have stale metadata, and would notice
   * that only at its time limit.
   */
  #failures = 0;
  #closed = false;

  constructor(createFetcher: () => Fetcher) {
    this.#createFetcher = createFetcher;
  }

  /** Lends a connection for as long as the poll takes. */
  async poll<T>(use: (fetcher: Fetcher) => Promise<T>): Promise<T> {
    const fetcher = this.#idle.pop() ?? this.#createFetcher();
    const failures = this.#failures;
    this.#inUse.add(fetcher);
    try {
      return await use(fetcher);
    } catch (error) {
      this.#failures++;
      for (const idle of this.#idle.splice(0)) idle.close();
      throw error;
    } finally {
      this.#inUse.delete(fetcher);
      if (this.#closed || failures < this.#failures || this.#idle.length >= limits.idlePollers) fetcher.close();
      else this.#idle.push(fetcher);
    }
  }

  close(): void {
    this.#closed = true;
    for (const fetcher of [...this.#idle.splice(0), ...this.#inUse]) fetcher.close();
  }
}
