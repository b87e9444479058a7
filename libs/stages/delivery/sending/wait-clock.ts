// A clock for waits: it goes on while the machine sleeps, and no time is added to a wait when the wall clock is set back.

/** Between two looks, the wall clock may get this far away from the monotonic one before it counts as set. */
const driftMaxMs = 1_000;

/**
 * Milliseconds of the monotonic clock, which stands still while the machine sleeps, and all that the wall clock was set
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
