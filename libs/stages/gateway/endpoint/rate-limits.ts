// Which sources have more requests than their rate limit lets them: a bucket for each, which fills again as time passes.

/** A bucket holds what comes in this time, so that a burst is no trouble while the average holds. */
const burstSeconds = 10;
/** The one that was used least recently makes room: it is full, or as good as. */
const bucketsMax = 10_000;

interface Bucket {
  readonly level: number;
  readonly atMs: number;
}

export class RateLimits {
  readonly #nowMs: () => number;
  readonly #max: number;
  readonly #buckets = new Map<string, Bucket>();

  /** `nowMs`: of a clock that never goes back. */
  constructor(nowMs: () => number = () => performance.now(), max = bucketsMax) {
    this.#nowMs = nowMs;
    this.#max = max;
  }

  get size(): number {
    return this.#buckets.size;
  }

  /** Takes one request of so many a second; false: there is none to be had before some part of a second has passed. */
  take(sourceId: string, perSecond: number): boolean {
    const most = perSecond * burstSeconds;
    const atMs = this.#nowMs();
    const before = this.#buckets.get(sourceId);
    const since = before === undefined ? most : before.level + ((atMs - before.atMs) / 1_000) * perSecond;
    const level = Math.min(most, since);
    const isTaken = level >= 1;
    this.#keep(sourceId, { level: isTaken ? level - 1 : level, atMs });
    return isTaken;
  }

  #keep(sourceId: string, bucket: Bucket): void {
    this.#buckets.delete(sourceId);
    this.#buckets.set(sourceId, bucket);
    if (this.#buckets.size <= this.#max) return;
    for (const oldest of this.#buckets.keys()) {
      this.#buckets.delete(oldest);
      return;
    }
  }
}
