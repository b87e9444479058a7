// Records how long transforms take, to run slow ones separately, and which have killed a process, to pause them.
import { transformTimeoutMs } from '../../../domain/delivery/transform/transform.ts';

/** Subscriptions with a record; the least recently used are dropped, and count as quick again. */
const recordsMax = 10_000;
/** Average of a slow transform; usual ones take less than 1 ms. */
const slowFromMs = 10;
/** Weight of the newest call in the average. */
const newestWeight = 0.25;
/** Pause of a transform that has killed a process, because each further try can cost a process. */
const pauseMs = 10_000;

interface PaceRecord {
  averageMs: number;
  restsUntil: number;
}

export class Paces {
  readonly #records = new Map<string, PaceRecord>();

  isSlow(key: string): boolean {
    return (this.#records.get(key)?.averageMs ?? 0) > slowFromMs;
  }

  /** Milliseconds until the transform can run again. */
  remainingPauseMs(key: string): number {
    return Math.max(0, (this.#records.get(key)?.restsUntil ?? 0) - performance.now());
  }

  recordDuration(key: string, ms: number): void {
    const record = this.#touch(key);
    record.averageMs += (ms - record.averageMs) * newestWeight;
  }

  recordKill(key: string): void {
    Object.assign(this.#touch(key), { averageMs: transformTimeoutMs, restsUntil: performance.now() + pauseMs });
  }

  #touch(key: string): PaceRecord {
    const record = this.#records.get(key) ?? { averageMs: 0, restsUntil: 0 };
    this.#records.delete(key);
    this.#records.set(key, record);
    const [oldest] = this.#records.keys();
    if (this.#records.size > recordsMax && oldest !== undefined) this.#records.delete(oldest);
    return record;
  }
}
