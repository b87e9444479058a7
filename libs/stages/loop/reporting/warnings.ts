// Logs a stage's warnings at a bounded rate: a source that fails a thousand times a second must not hide the others.
import type { Logger } from 'pino';

/** Enough to see what is wrong: the views show every run and attempt. */
const perWindowMax = 10;
const windowMs = 1_000;

export class Warnings {
  readonly #logger: Pick<Logger, 'warn'>;
  readonly #now: () => number;
  #windowFrom = -Infinity;
  #told = 0;
  #untold = 0;

  /** `now` in milliseconds. */
  constructor(logger: Pick<Logger, 'warn'>, now: () => number = () => performance.now()) {
    this.#logger = logger;
    this.#now = now;
  }

  /** Logs the warning, or counts it: the next window begins with the number of those left out. */
  warn(details: object, message: string): void {
    this.#turn();
    if (this.#told < perWindowMax) {
      this.#told++;
      this.#logger.warn(details, message);
    } else this.#untold++;
  }

  #turn(): void {
    const now = this.#now();
    if (now - this.#windowFrom < windowMs) return;
    if (this.#untold > 0) this.#logger.warn({ untold: this.#untold }, 'more such warnings were suppressed');
    this.#windowFrom = now;
    this.#told = 0;
    this.#untold = 0;
  }
}
