// Splits long work into short pieces, so that the event loop can turn between them.

/**
 * Length of one piece: a request takes about six turns of the loop and may meet a piece in each. A turn itself costs
 * some microseconds.
 */
const pieceMsMax = 1;

export class Turn {
  #startedAt = performance.now();

  /** To be checked after each item of work. */
  get isOver(): boolean {
    return performance.now() - this.#startedAt >= pieceMsMax;
  }

  /** Resolves when everything else that was due has run. */
  async next(): Promise<void> {
    await new Promise<void>((resolve) => void setImmediate(resolve));
    this.#startedAt = performance.now();
  }
}
