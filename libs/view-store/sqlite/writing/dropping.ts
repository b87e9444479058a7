// Drops builds that nobody reads any more, in the background: step by step, so that writes go between, with rests.
import { setTimeout as delay } from 'node:timers/promises';

/** After a start or a switch others have more to do. */
const firstRestMs = 1_000;
/** The rest, as a multiple of the step's time, its wait for others included: a fifth of the writing thread at most. */
const restFactor = 4;

export class Dropping {
  readonly #step: (build: string) => Promise<boolean>;
  readonly #builds: string[] = [];
  #working: Promise<void> | undefined;
  /** Aborted: without rests. */
  #hurried = new AbortController();
  #isStopped = false;

  /** `step` drops a bounded part of a build, and returns whether something is left. */
  constructor(step: (build: string) => Promise<boolean>) {
    this.#step = step;
  }

  /** What a failure leaves behind takes space until the next start, but is never read. */
  add(build: string): void {
    this.#builds.push(build);
    this.#working ??= this.#work();
  }

  /** Without rests until no build is left: a new one takes the space. */
  hurry(): void {
    if (this.#working !== undefined) this.#hurried.abort();
  }

  /** After the step in flight. The next start goes on. */
  stop(): void {
    this.#isStopped = true;
    this.#hurried.abort();
  }

  async #work(): Promise<void> {
    await this.#rest(firstRestMs);
    for (let build = this.#builds[0]; build !== undefined && !this.#isStopped; build = this.#builds[0]) {
      const startedAt = performance.now();
      if (!(await this.#step(build).catch(() => false))) this.#builds.shift();
      await this.#rest((performance.now() - startedAt) * restFactor);
    }
    this.#hurried = new AbortController();
    this.#working = undefined;
  }

  async #rest(ms: number): Promise<void> {
    await delay(ms, undefined, { signal: this.#hurried.signal, ref: false }).catch(() => undefined);
  }
}
