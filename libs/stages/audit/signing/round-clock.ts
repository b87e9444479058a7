// Determines when the next round of checkpoints is due: a fixed time after the first record without a checkpoint.

export interface RoundClockOptions {
  /** How long a record can stay unsigned, and the time between two rounds. */
  readonly everyMs: number;
  /** A monotonic clock in milliseconds. */
  readonly elapsedMs: () => number;
  /** Called when a round is due. */
  readonly onDue: () => void;
}

export class RoundClock {
  readonly #options: RoundClockOptions;
  #dueAt: number | undefined;
  #roundStartedAt = -Infinity;
  #timer: NodeJS.Timeout | undefined;
  #hasFired = false;

  constructor(options: RoundClockOptions) {
    this.#options = options;
  }

  get isDue(): boolean {
    return this.#hasFired || (this.#dueAt !== undefined && this.#options.elapsedMs() >= this.#dueAt);
  }

  /**
   * Notes an unsigned record of this age. The wait counts from the record's own time, so that restarts do not prolong
   * it.
   */
  noteUnsigned(ageMs: number): void {
    if (this.#dueAt !== undefined) return;
    const { everyMs, elapsedMs } = this.#options;
    const now = elapsedMs();
    const waitMs = everyMs - Math.min(Math.max(ageMs, 0), everyMs);
    this.#set(Math.max(now + waitMs, this.#roundStartedAt + everyMs), now);
  }

  /** Makes the next round due now. */
  makeDue(): void {
    const now = this.#options.elapsedMs();
    this.#set(now, now);
  }

  /** Notes that a round has begun: the next one waits for the next record. */
  startRound(): void {
    this.close();
    this.#roundStartedAt = this.#options.elapsedMs();
    this.#dueAt = undefined;
    this.#hasFired = false;
  }

  close(): void {
    clearTimeout(this.#timer);
  }

  #set(dueAt: number, now: number): void {
    this.#dueAt = dueAt;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#hasFired = true;
      this.#options.onDue();
    }, dueAt - now).unref();
  }
}
