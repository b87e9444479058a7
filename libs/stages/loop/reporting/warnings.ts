// Logs a stage's warnings at a bounded rate: a source that fails a thousand times a second must not hide the others.
import type { Logger } from 'pino';

/** Enough to see what is wrong: the views show every run and attempt. */
const perWindowMax = 10;
const windowMs = 1_000;

export class Warnings {
  readonly #logger: Pick<Logger, 'warn'>;
  readonly #now: () => number;
  #windowStart = -Infinity;
  #logged = 0;
  #suppressed = 0;

  /** `now` in milliseconds. */
  constructor(logger: Pick<Logger, 'warn'>, now: () => number = () => performance.now()) {
    this.#logger = logger;
    this.#now = now;
  }

  /** Logs the warning, or counts it: the next window begins with the number of those left out. */
  warn(details: object, message: string): void {
    this.#startWindow();
    if (this.#logged < perWindowMax) {
      this.#logged++;
      this.#logger.warn(details, message);
    } else this.#suppressed++;
  }

  #startWindow(): void {
    const now = this.#now();
    if (now - this.#windowStart < windowMs) return;
    if (this.#suppressed > 0) this.#logger.warn({ untold: this.#suppressed }, 'more such warnings were suppressed');
    this.#windowStart = now;
    this.#logged = 0;
    this.#suppressed = 0;
  }
}
