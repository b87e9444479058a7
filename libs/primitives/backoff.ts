// Computes the waits between attempts: each is twice the previous one, up to a bound.

/** The wait after `times` doublings, in milliseconds, at most `longestMs`. */
export const backoffMs = (firstMs: number, longestMs: number, times: number): number =>
  Math.min(firstMs * 2 ** times, longestMs);

export class Backoff {
  readonly #firstMs: number;
  readonly #longestMs: number;
  #attempts = 0;

  constructor(firstMs: number, longestMs: number) {
    this.#firstMs = firstMs;
    this.#longestMs = longestMs;
  }

  /** Returns the wait before the next attempt; the following call returns twice that. */
  next(): number {
    return backoffMs(this.#firstMs, this.#longestMs, this.#attempts++);
  }

  /** Call after a success: the next wait is the first one again. */
  reset(): void {
    this.#attempts = 0;
  }
}
