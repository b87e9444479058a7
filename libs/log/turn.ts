// Long work in short pieces: whoever has many things to do lets the event loop turn between them.

/** Of one piece: what no request feels. */
const pieceMsMax = 4;

export class Turn {
  #startedAt = performance.now();

  /** Asked after each thing. */
  get isOver(): boolean {
    return performance.now() - this.#startedAt >= pieceMsMax;
  }

  /** Resolves when everything else that was due has had its turn. */
  async next(): Promise<void> {
    await new Promise<void>((resolve) => void setImmediate(resolve));
    this.#startedAt = performance.now();
  }
}
