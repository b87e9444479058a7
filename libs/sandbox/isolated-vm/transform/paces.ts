// How long transforms take, and which have ended a process: slow ones run apart, deadly ones rest.
import { transformMs } from '../../../domain/delivery/transform/transform.ts';

/** Subscriptions remembered, the ones used last; a forgotten one counts as quick again. */
const rememberedMax = 10_000;
/** On average; a usual transform takes less than one. */
const slowFromMs = 10;
/** Weight of the newest call in the average. */
const newest = 0.25;
/** After it has ended a process, a transform is not run for this long: each try costs a process. */
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

  /** Milliseconds until it may run again. */
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
