// Computes how much a cursor that is behind reads at a time: about as much as its receiver accepts in a second.

/** Events read at once last this long: a slow receiver needs few reads and little memory. */
const aheadMs = 1_000;
/**
 * Reads more when the remaining events last less than a few reads take: those queued longer only grow old in memory,
 * where the garbage collector copies them. At least some turns of the event loop ...
 */
const leftMsMin = 8;
/** ... and at most this: a log that hangs once is no reason to hold more. */
const leftMsMax = 50;
const readsLeft = 3;
/** After a slow read, the next ones count as at least this fraction of its time: one quick read proves little. */
const easing = 0.9;
/** The window before the receiver's pace is known. */
const firstWindow = 16;
/** The most events that a cursor takes at a time: a page and some more. */
const windowMax = 640;
/** The window's largest factor of growth at once, and the reach's most doublings: one quick moment proves little. */
const growthMax = 8;
/** The fewest records to read, including those of other sources. */
const reachMin = 8;

export class ReadAhead {
  #window = firstWindow;
  #taken = 0;
  #takenAt = 0;
  #passes = 0;
  /** Whether the cursor's turn to send has come while no event is in memory. */
  due = false;

  /** How many events the cursor takes next. */
  get window(): number {
    return this.#window;
  }

  /** How many records to read: twice as many after each read that held none for the cursor. */
  get reach(): number {
    return Math.max(this.#window, reachMin) * 2 ** this.#passes;
  }

  /** Whether the queued events will be sent before more could be read; `leftMs` is from `ReadTimes`. */
  runsOut(queued: number, now: number, leftMs: number): boolean {
    const begun = this.#taken - queued;
    return begun > 0 && queued * (now - this.#takenAt) < begun * leftMs;
  }

  /** Notes that a read queued `count` events on the cursor, which had `left` before. */
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
      this.#window = Math.min(lasting, this.#window * growthMax, windowMax);
    }
    this.#taken = count + left;
    this.#takenAt = now;
  }
}

/** Measures how long reads take, from when they are wanted. */
export class ReadTimes {
  #slowMs = leftMsMax / readsLeft;

  /** More is read once the remaining events last less than this. */
  get leftMs(): number {
    return Math.min(Math.max(this.#slowMs * readsLeft, leftMsMin), leftMsMax);
  }

  took(ms: number): void {
    this.#slowMs = Math.max(ms, this.#slowMs * easing);
  }
}
