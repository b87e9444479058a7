// Drops unused builds in the background: in steps, so that writes can run in between, with pauses.
import { setTimeout as delay } from 'node:timers/promises';

/** The first pause: after a start or a switch other work is more urgent. */
const firstRestMs = 1_000;
/** The pause, as a multiple of the step's time including its wait: drops take a fifth of the writing thread at most. */
const restFactor = 4;

export class BuildDropper {
  readonly #step: (build: string) => Promise<boolean>;
  readonly #builds: string[] = [];
  #running: Promise<void> | undefined;
  /** When aborted, there are no more pauses. */
  #hurry = new AbortController();
  #isStopped = false;

  /** `step` drops a bounded part of a build, and returns whether something is left. */
  constructor(step: (build: string) => Promise<boolean>) {
    this.#step = step;
  }

  /** Drops a build. If this fails, its rest takes space until the next start, but is never read. */
  add(build: string): void {
    this.#builds.push(build);
    this.#running ??= this.#run();
  }

  /** Drops without pauses until no build is left: a new build needs the space. */
  hurry(): void {
    if (this.#running !== undefined) this.#hurry.abort();
  }

  /** Stops after the step in flight. The next start continues. */
  stop(): void {
    this.#isStopped = true;
    this.#hurry.abort();
  }

  async #run(): Promise<void> {
    await this.#pause(firstRestMs);
    for (let build = this.#builds[0]; build !== undefined && !this.#isStopped; build = this.#builds[0]) {
      const startedAt = performance.now();
      if (!(await this.#step(build).catch(() => false))) this.#builds.shift();
      await this.#pause((performance.now() - startedAt) * restFactor);
    }
    this.#hurry = new AbortController();
    this.#running = undefined;
  }

  async #pause(ms: number): Promise<void> {
    await delay(ms, undefined, { signal: this.#hurry.signal, ref: false }).catch(() => undefined);
  }
}
