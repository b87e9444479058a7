// Paces the attempts of one webhook: a token bucket just large enough to make up for a late timer.

/** A timer can be this late without losing attempts. At most this much begins above the rate: 1.5 % of ten seconds. */
const slackMs = 150;

/** The state that all lanes of a webhook share: it has one rate, whatever its url. */
interface Bucket {
  gapMs: number;
  /** When the next attempt is due at an even rate, on the clock of `performance.now`. */
  dueAt: number;
}

export class RateLimit {
  readonly #bucket: Bucket;
  #timer: NodeJS.Timeout | undefined;

  /** `other`: the rate limit of another lane of the same webhook; attempts count for both. */
  constructor(other?: RateLimit) {
    this.#bucket = other === undefined ? { gapMs: 0, dueAt: 0 } : other.#bucket;
  }

  /** Sets the rate; undefined: no limit. As many attempts are ahead of time as before the change. */
  set(perSecond: number | undefined): void {
    const bucket = this.#bucket;
    const gapMs = perSecond === undefined ? 0 : 1_000 / perSecond;
    if (gapMs === bucket.gapMs) return;
    const now = performance.now();
    const attemptsAhead = bucket.gapMs === 0 ? 0 : Math.max(bucket.dueAt - now, 0) / bucket.gapMs;
    bucket.gapMs = gapMs;
    bucket.dueAt = now + attemptsAhead * gapMs;
  }

  /** Whether an attempt can begin now. */
  get isOpen(): boolean {
    const { gapMs, dueAt } = this.#bucket;
    return gapMs === 0 || performance.now() >= dueAt - slackMs;
  }

  /** Counts an attempt that has begun. */
  countAttempt(): void {
    const bucket = this.#bucket;
    if (bucket.gapMs > 0) bucket.dueAt = Math.max(bucket.dueAt, performance.now()) + bucket.gapMs;
  }

  /** Takes an attempt out of the count that was not sent after all. */
  uncountAttempt(): void {
    this.#bucket.dueAt -= this.#bucket.gapMs;
  }

  /** Calls `onOpen` once an attempt can begin; the wait costs only this timer. */
  wait(onOpen: () => void): void {
    this.#timer ??= setTimeout(
      () => {
        this.#timer = undefined;
        onOpen();
      },
      Math.max(Math.ceil(this.#bucket.dueAt - slackMs - performance.now()), 0),
    ).unref();
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
