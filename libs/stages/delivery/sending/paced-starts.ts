// Starts towards slow receivers, which come in bursts as their answers do: in turn, in a fixed part of the process's time.

/** One step: a millisecond or two of signing and connecting. */
const startsPerStep = 2;
/** Between two steps is this many times what the last one took: three quarters of the time are for everything else. */
const restTimes = 3;

export class PacedStarts<L> {
  readonly #lanes = new Set<L>();
  readonly #start: (lane: L) => boolean;
  #timer: NodeJS.Timeout | undefined;

  /** `start` begins one attempt, and says whether the lane may be able to begin another. */
  constructor(start: (lane: L) => boolean) {
    this.#start = start;
  }

  add(lane: L): void {
    this.#lanes.add(lane);
    this.#timer ??= setTimeout(() => this.#step(), 0);
  }

  delete(lane: L): void {
    this.#lanes.delete(lane);
  }

  close(): void {
    this.#lanes.clear();
    clearTimeout(this.#timer);
  }

  #step(): void {
    const startedAt = performance.now();
    let left = startsPerStep;
    for (const lane of this.#lanes) {
      if (left-- === 0) break;
      this.#lanes.delete(lane);
      if (this.#start(lane)) this.#lanes.add(lane);
    }
    const restMs = (performance.now() - startedAt) * restTimes;
    this.#timer = this.#lanes.size === 0 ? undefined : setTimeout(() => this.#step(), restMs);
  }
}
