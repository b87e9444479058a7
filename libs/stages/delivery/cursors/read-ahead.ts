// How much a cursor that is behind takes from the log at a time: what its receiver takes in a moment, and no more.

/** What is taken lasts this long: few reads for a slow receiver, and little held for it. */
const aheadMs = 1_000;
/** More is read when what is left lasts less than this: a read and a turn of the event loop fit in. */
const leftMs = 50;
/** Before anything is known. */
const firstWindow = 16;
/** One quick moment says little. */
const growthMax = 8;
/** Records of a page at least: those of other emitters stand between. */
const reachMin = 8;

export class ReadAhead {
  readonly #windowMax: number;
  #window = firstWindow;
  #taken = 0;
  #takenAt = 0;
  #passes = 0;
  /** Its turn to send has come, and nothing is in memory. */
  due = false;

  constructor(windowMax: number) {
    this.#windowMax = windowMax;
  }

  /** Events that it takes next. */
  get window(): number {
    return this.#window;
  }

  /** Records that are worth reading: twice as many each time that none of them was for it. */
  get reach(): number {
    return Math.max(this.#window, reachMin) * 2 ** this.#passes;
  }

  /** Whether what is left of the last ones will be gone before more could be read. */
  runsOut(queued: number, now: number): boolean {
    const begun = this.#taken - queued;
    return begun > 0 && queued * (now - this.#takenAt) < begun * leftMs;
  }

  /** It was given `count` events beside the `left` that it had. */
  took(count: number, left: number, now: number): void {
    if (count === 0) {
      this.#passes = Math.min(this.#passes + 1, growthMax);
      return;
    }
    this.#passes = 0;
    this.due = false;
    const begun = this.#taken - left;
    if (begun > 0) {
      const lasting = Math.ceil((begun * aheadMs) / Math.max(now - this.#takenAt, 1));
      this.#window = Math.min(lasting, this.#window * growthMax, this.#windowMax);
    }
    this.#taken = count + left;
    this.#takenAt = now;
  }
}
