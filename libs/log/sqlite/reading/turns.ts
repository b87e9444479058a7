// Lets the event loop turn between reads, so that a restore of many pages does not hold up everything else.

/**
 * Time for reads in one turn of the loop, from the first on; later reads wait for the next turn. A request takes about
 * six turns and meets this delay in each. The work on a page counts too, since it follows at once.
 */
const turnMsMax = 1.5;

export class Turns {
  readonly #now: () => number;
  /** When the first read of this turn began. */
  #since: number | undefined;

  /** `now`: a monotonic clock in milliseconds; tests pass their own. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Reads in the first turn that has time left. */
  async read<T>(read: () => T): Promise<T> {
    while (this.#since !== undefined && this.#now() - this.#since >= turnMsMax)
      await new Promise<void>((resolve) => void setImmediate(resolve));
    this.#begin();
    return read();
  }

  #begin(): void {
    if (this.#since !== undefined) return;
    this.#since = this.#now();
    setImmediate(() => (this.#since = undefined));
  }
}
