// Long work in short pieces: whoever has many things to do lets the event loop turn between them.

/** Of one piece: a request takes six turns of the loop or so, and meets one in each. A turn itself costs some microseconds. */
const pieceMsMax = 1;

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
