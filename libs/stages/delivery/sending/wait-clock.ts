// A clock for waits that counts the machine's sleep, and adds no time to a wait when the wall clock is set back.

/** The wall clock counts as set if it differs by more than this from the monotonic clock between two checks. */
const driftMaxMs = 1_000;

/**
 * Milliseconds of the monotonic clock, which stops while the machine sleeps, plus all time that the wall clock was set
 * forward, as it is after a sleep. A wall clock that is set forward by mistake makes waits shorter, as a restart does.
 */
export class WaitClock {
  readonly #wall: () => number;
  readonly #elapsed: () => number;
  #ahead: number;
  #asleepMs = 0;

  constructor(wall: () => number, elapsed: () => number = () => performance.now()) {
    this.#wall = wall;
    this.#elapsed = elapsed;
    this.#ahead = wall() - elapsed();
  }

  now(): number {
    const elapsed = this.#elapsed();
    const ahead = this.#wall() - elapsed;
    const setMs = ahead - this.#ahead;
    if (Math.abs(setMs) > driftMaxMs) {
      this.#ahead = ahead;
      this.#asleepMs += Math.max(setMs, 0);
    }
    return elapsed + this.#asleepMs;
  }
}
