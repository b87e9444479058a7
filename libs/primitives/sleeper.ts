// A sleep that can be ended early.
export class Sleeper {
  #wake: () => void = () => {};

  /**
   * Resolves after the time, or at the next `wake()`. One call sleeps at a time: another call ends the sleep before it.
   */
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

  /** Ends the sleep in progress; has no effect on later sleeps. */
  wake(): void {
    this.#wake();
  }
}
