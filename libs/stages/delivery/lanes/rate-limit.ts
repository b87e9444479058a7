// Paces the attempts of one webhook: a token bucket just large enough to make up for a late timer.

/** A timer may be this late without losing attempts. At most this much begins above the rate: 1.5 % of ten seconds. */
const slackMs = 150;

export class RateLimit {
  #gapMs = 0;
  /** When the next attempt is due at an even rate, on the clock of `performance.now`. */
  #dueAt = 0;
  #timer: NodeJS.Timeout | undefined;

  /** Undefined: any rate. */
  set(perSecond: number | undefined): void {
    this.#gapMs = perSecond === undefined ? 0 : 1_000 / perSecond;
    this.#dueAt = Math.min(this.#dueAt, performance.now() + this.#gapMs);
  }

  /** Whether an attempt may begin now. */
  get isOpen(): boolean {
    return this.#gapMs === 0 || performance.now() >= this.#dueAt - slackMs;
  }

  /** An attempt has begun. */
  took(): void {
    if (this.#gapMs > 0) this.#dueAt = Math.max(this.#dueAt, performance.now()) + this.#gapMs;
  }

  /** Nothing was sent after all. */
  gave(): void {
    this.#dueAt -= this.#gapMs;
  }

  /** Calls `again` once an attempt may begin; the wait costs only this timer. */
  wait(again: () => void): void {
    this.#timer ??= setTimeout(
      () => {
        this.#timer = undefined;
        again();
      },
      Math.max(Math.ceil(this.#dueAt - slackMs - performance.now()), 0),
    ).unref();
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
