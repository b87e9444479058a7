// Runs the processes that sources share: each source always has the same one; a warm spare replaces a dead one.
import { partitionOf } from '../../../domain/flow.ts';
import type { Capacity } from '../../sandbox.ts';
import { totalCapacity } from './runner-capacity.ts';
import type { Runner, RunnerDeath } from './runner.ts';
import type { SpawnRunner } from './runners.ts';

export interface PoolOptions {
  readonly size: number;
  /** Whether one more process is kept warm. */
  readonly hasSpare: boolean;
  readonly spawn: SpawnRunner;
  readonly onDeath: (death: RunnerDeath) => void;
}

/** Deaths within a minute that are replaced at once; more of them mean a fault of every process. */
const quickRespawnsMax = 20;
const respawnWindowMs = 60_000;
const respawnDelayMs = 1_000;

export class RunnerPool {
  readonly #options: PoolOptions;
  readonly #slots: Runner[] = [];
  /** Only replaces a dead process; no component runs in it before. */
  #spare: Runner | undefined;
  #deathTimes: number[] = [];
  #closed = false;

  constructor(options: PoolOptions) {
    this.#options = options;
    for (let at = 0; at < options.size; at++) this.#slots.push(this.#spawn());
    if (options.hasSpare) this.#spare = this.#spawn();
  }

  /**
   * Returns the same process for a source each time, where its component stays loaded. After too many deaths it can be
   * dead for a while; then its invocations are lost.
   */
  runnerOf(sourceId: string): Runner {
    const runner = this.#slots[partitionOf(sourceId, this.#slots.length)];
    if (runner === undefined) throw new Error('A pool has no runner');
    return runner;
  }

  get capacity(): Capacity {
    return totalCapacity(this.#slots.map(({ capacity: room }) => room));
  }

  /** From now on, dead runners are not replaced. */
  close(): void {
    this.#closed = true;
  }

  /** Call when the pool is no longer used and no invocation is under way in it. */
  dismiss(dismiss: (runner: Runner) => void): void {
    this.#closed = true;
    for (const runner of this.#slots) dismiss(runner);
  }

  #spawn(): Runner {
    const runner: Runner = this.#options.spawn((death) => this.#handleDeath(runner, death));
    return runner;
  }

  #handleDeath(runner: Runner, death: RunnerDeath): void {
    if (this.#closed) return;
    this.#options.onDeath(death);
    const now = performance.now();
    this.#deathTimes = [...this.#deathTimes.filter((at) => now - at < respawnWindowMs), now];
    if (this.#deathTimes.length <= quickRespawnsMax) this.#replace(runner);
    else setTimeout(() => this.#replace(runner), respawnDelayMs * (this.#deathTimes.length - quickRespawnsMax)).unref();
  }

  #replace(dead: Runner): void {
    if (this.#closed) return;
    const slot = this.#slots.indexOf(dead);
    if (slot < 0) this.#spare = this.#spawn();
    else if (this.#spare === undefined || this.#spare.isDead) this.#slots[slot] = this.#spawn();
    else {
      this.#slots[slot] = this.#spare;
      this.#spare = this.#spawn();
    }
  }
}
