// Lets the event loop turn between reads: whoever restores from page after page must not hold up everything else.

/**
 * Of one turn of the loop, from its first read on, before the next read waits for another turn: a request takes six turns or
 * so, and meets this in each. What is done with a page counts too: it follows at once.
 */
const turnMsMax = 1.5;

export class Turns {
  readonly #now: () => number;
  /** When the first read of this turn began. */
  #since: number | undefined;

  /** Milliseconds that only ever grow; tests give others. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Reads as soon as there is time left in the turn. */
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
