// Computes how much a cursor that is behind reads at a time: about as much as its receiver accepts in a second.

/** Events read at once last this long: a slow receiver needs few reads and little memory. */
const aheadMs = 1_000;
/**
 * Reads more when the remaining events last less than a few reads take: those queued longer only grow old in memory,
 * where the garbage collector copies them. At least some turns of the event loop ...
 */
const remainingMsMin = 8;
/** ... and at most this: a log that hangs once is no reason to hold more. */
const remainingMsMax = 50;
const readsCovered = 3;
/** After a slow read, the next ones count as at least this fraction of its time: one quick read proves little. */
const decay = 0.9;
/** The window before the receiver's pace is known. */
const firstWindow = 16;
/** The most events that a cursor takes at a time: a page and some more. */
const windowMax = 640;
/** The window's largest factor of growth at once, and the reach's most doublings: one quick moment proves little. */
const growthMax = 8;
/** The fewest records to read, including those of other sources. */
const recordsMin = 8;

export class ReadAhead {
  #window = firstWindow;
  #queuedAtRead = 0;
  #lastReadAt = 0;
  #emptyReads = 0;
  /** Whether the cursor's turn to send has come while no event is in memory. */
  isDue = false;

  /** How many events the cursor takes next. */
  get window(): number {
    return this.#window;
  }

  /** How many records to read: twice as many after each read that held none for the cursor. */
  get recordsToRead(): number {
    return Math.max(this.#window, recordsMin) * 2 ** this.#emptyReads;
  }

  /** Whether the queued events will be sent before more could be read; `remainingMs` is from `ReadTimes`. */
  runsOut(queued: number, now: number, remainingMs: number): boolean {
    const begunSince = this.#queuedAtRead - queued;
    return begunSince > 0 && queued * (now - this.#lastReadAt) < begunSince * remainingMs;
  }

  /** Notes that a read queued `count` events on the cursor, which had `queuedBefore` before. */
  recordRead(count: number, queuedBefore: number, now: number): void {
    if (count === 0) {
      this.#emptyReads = Math.min(this.#emptyReads + 1, growthMax);
      return;
    }
    this.#emptyReads = 0;
    this.isDue = false;
    const begunSince = this.#queuedAtRead - queuedBefore;
    if (begunSince > 0) {
      const lasting = Math.ceil((begunSince * aheadMs) / Math.max(now - this.#lastReadAt, 1));
      this.#window = Math.min(lasting, this.#window * growthMax, windowMax);
    }
    this.#queuedAtRead = count + queuedBefore;
    this.#lastReadAt = now;
  }
}

/** Measures how long reads take, from when they are wanted. */
export class ReadTimes {
  #slowMs = remainingMsMax / readsCovered;

  /** More is read once the remaining events last less than this. */
  get remainingMs(): number {
    return Math.min(Math.max(this.#slowMs * readsCovered, remainingMsMin), remainingMsMax);
  }

  recordRead(ms: number): void {
    this.#slowMs = Math.max(ms, this.#slowMs * decay);
  }
}
