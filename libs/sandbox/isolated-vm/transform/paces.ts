// Records how long transforms take, to run slow ones separately, and which have killed a process, to pause them.
import { transformMs } from '../../../domain/delivery/transform/transform.ts';

/** Subscriptions with a record; the least recently used are dropped, and count as quick again. */
const rememberedMax = 10_000;
/** Average of a slow transform; usual ones take less than 1 ms. */
const slowFromMs = 10;
/** Weight of the newest call in the average. */
const newest = 0.25;
/** Pause of a transform that has killed a process, because each further try can cost a process. */
const restMs = 10_000;

interface Known {
  averageMs: number;
  restsUntil: number;
}

export class Paces {
  readonly #known = new Map<string, Known>();

  isSlow(key: string): boolean {
    return (this.#known.get(key)?.averageMs ?? 0) > slowFromMs;
  }

  /** Milliseconds until the transform can run again. */
  restMs(key: string): number {
    return Math.max(0, (this.#known.get(key)?.restsUntil ?? 0) - performance.now());
  }

  took(key: string, ms: number): void {
    const known = this.#of(key);
    known.averageMs += (ms - known.averageMs) * newest;
  }

  killed(key: string): void {
    Object.assign(this.#of(key), { averageMs: transformMs, restsUntil: performance.now() + restMs });
  }

  #of(key: string): Known {
    const known = this.#known.get(key) ?? { averageMs: 0, restsUntil: 0 };
    this.#known.delete(key);
    this.#known.set(key, known);
    const [oldest] = this.#known.keys();
    if (this.#known.size > rememberedMax && oldest !== undefined) this.#known.delete(oldest);
    return known;
  }
}
