// Lets the event loop turn between reads, so that a restore of many pages does not block other work.
import { Fifo } from '../../../primitives/collections/fifo.ts';

/**
 * The time for reads in one turn of the loop, from the first one on; later reads wait for the next turn. A request
 * takes about six turns and can be delayed by this in each. Work on a page counts too, since it follows at once.
 */
const turnMsMax = 1.5;

export class ReadTurns {
  readonly #now: () => number;
  /** When the first read of this turn began. */
  #turnStartedAt: number | undefined;
  /** Each turn lets the longest waiting of these read: otherwise a busy reader would come first each time. */
  readonly #waiting = new Fifo<() => void>();

  /** `now`: a monotonic clock in milliseconds; tests pass another one. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Reads at once if this turn has time left and no read waits, otherwise in a later turn. */
  async read<T>(read: () => T): Promise<T> {
    const mustWait = this.#waiting.length > 0 || this.#isOver;
    if (mustWait) await this.#waitForTurn();
    this.#beginTurn();
    if (mustWait && this.#waiting.length > 0) this.#scheduleNext();
    return read();
  }

  get #isOver(): boolean {
    return this.#turnStartedAt !== undefined && this.#now() - this.#turnStartedAt >= turnMsMax;
  }

  #waitForTurn(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      if (this.#waiting.length === 1) this.#scheduleNext();
    });
  }

  #scheduleNext(): void {
    setImmediate(() => this.#waiting.shift()?.());
  }

  #beginTurn(): void {
    if (this.#turnStartedAt !== undefined) return;
    this.#turnStartedAt = this.#now();
    setImmediate(() => (this.#turnStartedAt = undefined));
  }
}
