// Draws random numbers from a seed, so that a run's faults can be repeated.

export class Draw {
  #state: number;

  constructor(seed: number) {
    this.#state = seed;
  }

  /** A whole number from 0 to below `end`; mulberry32. */
  below(end: number): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mix = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mix = (mix + Math.imul(mix ^ (mix >>> 7), 61 | mix)) ^ mix;
    return Math.floor((((mix ^ (mix >>> 14)) >>> 0) / 2 ** 32) * end);
  }

  /** One of the values; undefined if there are none. */
  of<T>(values: readonly T[]): T | undefined {
    return values[this.below(values.length)];
  }
}
