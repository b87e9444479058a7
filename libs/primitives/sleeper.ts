// A sleep that may be cut short.
export class Sleeper {
  #wake: () => void = () => {};

  /** Resolves when the time is over, or at the next `wake()`. One sleeps at a time: another call wakes whoever slept before. */
  sleep(ms: number): Promise<void> {
    this.#wake();
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.#wake(), ms);
      this.#wake = () => {
        clearTimeout(timer);
        this.#wake = () => {};
        resolve();
      };
    });
  }

  /** Anyone who does not sleep is not woken later. */
  wake(): void {
    this.#wake();
  }
}
