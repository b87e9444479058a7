// Paces the attempts of one webhook: a bucket of tokens that holds what a late timer may have to catch up with.

/** A timer may be this late and no attempt is lost; it is also all that may be begun above the rate: 1.5 % of ten seconds. */
const slackMs = 150;

export class Pace {
  #gapMs = 0;
  /** When the next one is due at an even rate, on the clock of `performance.now`. */
  #dueAt = 0;
  #timer: NodeJS.Timeout | undefined;

  /** Undefined: any rate. */
  set(perSecond: number | undefined): void {
    this.#gapMs = perSecond === undefined ? 0 : 1_000 / perSecond;
    this.#dueAt = Math.min(this.#dueAt, performance.now() + this.#gapMs);
  }

  /** Whether one may begin now. */
  get isOpen(): boolean {
    return this.#gapMs === 0 || performance.now() >= this.#dueAt - slackMs;
  }

  /** One has begun. */
  took(): void {
    if (this.#gapMs > 0) this.#dueAt = Math.max(this.#dueAt, performance.now()) + this.#gapMs;
  }

  /** Calls `again` once one may begin; whoever waits holds nothing but this timer. */
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
