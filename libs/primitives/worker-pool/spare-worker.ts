// Keeps a started process ready for a pool whose processes do one job each, so that a job need not wait for its start.
import type { Worker } from './worker-pool.ts';

export interface SpareWorkerOptions<W extends Worker> {
  readonly spawn: () => W;
  /** Ends a process that is no longer needed. */
  readonly dismiss: (worker: W) => void;
}

export class SpareWorker<W extends Worker> {
  readonly #options: SpareWorkerOptions<W>;
  #ready: W | undefined;
  #isClosed = false;

  constructor(options: SpareWorkerOptions<W>) {
    this.#options = options;
  }

  get worker(): W | undefined {
    return this.#ready?.isDead === false ? this.#ready : undefined;
  }

  /** Starts a process, unless there is one. Best called when idle: starting takes a core. */
  prepare(): void {
    if (!this.#isClosed && this.worker === undefined) this.#ready = this.#options.spawn();
  }

  /** Returns the process that is ready, or otherwise a new one. */
  take(): W {
    const ready = this.worker;
    this.#ready = undefined;
    return ready ?? this.#options.spawn();
  }

  close(): void {
    this.#isClosed = true;
    if (this.#ready !== undefined) this.#options.dismiss(this.#ready);
  }
}
