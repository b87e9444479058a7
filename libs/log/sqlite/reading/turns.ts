// Lets the event loop turn between reads: whoever restores from page after page must not hold up everything else.

/** Of reading in one turn of the loop, before the next read waits for another one: what no request feels. */
const turnMsMax = 5;

export class Turns {
  #spentMs = 0;
  #counted = false;

  /** Reads as soon as there is time left in the turn. */
  async read<T>(read: () => T): Promise<T> {
    while (this.#spentMs >= turnMsMax) await new Promise<void>((resolve) => void setImmediate(resolve));
    const startedAt = performance.now();
    try {
      return read();
    } finally {
      this.#spentMs += performance.now() - startedAt;
      this.#endWithTurn();
    }
  }

  #endWithTurn(): void {
    if (this.#counted) return;
    this.#counted = true;
    setImmediate(() => {
      this.#counted = false;
      this.#spentMs = 0;
    });
  }
}
