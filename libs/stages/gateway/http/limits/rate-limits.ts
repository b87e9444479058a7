// Enforces rate limits: a token bucket for each source that is called, or each address that calls.

/** A bucket holds the requests of this many seconds, so that bursts pass while the average stays within the limit. */
const burstSeconds = 10;
/** Beyond this, the least recently used bucket is dropped: it is full again, or nearly. */
const bucketsMax = 10_000;

interface Bucket {
  readonly level: number;
  readonly atMs: number;
}

export class RateLimits {
  readonly #nowMs: () => number;
  readonly #max: number;
  readonly #buckets = new Map<string, Bucket>();

  /** `nowMs`: a clock that never goes back. */
  constructor(nowMs: () => number = () => performance.now(), max = bucketsMax) {
    this.#nowMs = nowMs;
    this.#max = max;
  }

  get size(): number {
    return this.#buckets.size;
  }

  /** Takes one request from the bucket; false: the bucket is empty for now. */
  tryTake(key: string, perSecond: number): boolean {
    const capacity = perSecond * burstSeconds;
    const atMs = this.#nowMs();
    const previous = this.#buckets.get(key);
    const refilled = previous === undefined ? capacity : previous.level + ((atMs - previous.atMs) / 1_000) * perSecond;
    const level = Math.min(capacity, refilled);
    const isAllowed = level >= 1;
    this.#store(key, { level: isAllowed ? level - 1 : level, atMs });
    return isAllowed;
  }

  #store(key: string, bucket: Bucket): void {
    this.#buckets.delete(key);
    this.#buckets.set(key, bucket);
    if (this.#buckets.size <= this.#max) return;
    for (const oldest of this.#buckets.keys()) {
      this.#buckets.delete(oldest);
      return;
    }
  }
}
