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
  #wallOffset: number;
  #asleepMs = 0;

  constructor(wall: () => number, elapsed: () => number = () => performance.now()) {
    this.#wall = wall;
    this.#elapsed = elapsed;
    this.#wallOffset = wall() - elapsed();
  }

  now(): number {
    const elapsed = this.#elapsed();
    const wallOffset = this.#wall() - elapsed;
    const jumpMs = wallOffset - this.#wallOffset;
    if (Math.abs(jumpMs) > driftMaxMs) {
      this.#wallOffset = wallOffset;
      this.#asleepMs += Math.max(jumpMs, 0);
    }
    return elapsed + this.#asleepMs;
  }
}
