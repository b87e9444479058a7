// The runner processes that sources share: each source always uses the same one; a warm spare replaces a dead one.
import { partitionOf } from '../../../domain/flow.ts';
import type { Room } from '../../sandbox.ts';
import { roomOfAll } from './runner-room.ts';
import type { Runner, RunnerDeath } from './runner.ts';
import type { SpawnRunner } from './runners.ts';

export interface PoolOptions {
  readonly size: number;
  /** Whether one more is kept warm. */
  readonly hasSpare: boolean;
  readonly spawn: SpawnRunner;
  readonly onDeath: (death: RunnerDeath) => void;
}

/** Deaths within a minute that are replaced at once: more means that something is wrong with every process. */
const quickRespawnsMax = 20;
const respawnWindowMs = 60_000;
const respawnDelayMs = 1_000;

export class RunnerPool {
  readonly #options: PoolOptions;
  readonly #slots: Runner[] = [];
  /** It only replaces a dead one: nothing runs in it. */
  #spare: Runner | undefined;
  #deaths: number[] = [];
  #closed = false;

  constructor(options: PoolOptions) {
    this.#options = options;
    for (let at = 0; at < options.size; at++) this.#slots.push(this.#spawn());
    if (options.hasSpare) this.#spare = this.#spawn();
  }

  /**
   * A source always gets the same process, and what is warm in it. It may be dead for a moment, when too many have died:
   * what it is given is then lost.
   */
  runnerOf(sourceId: string): Runner {
    const runner = this.#slots[partitionOf(sourceId, this.#slots.length)];
    if (runner === undefined) throw new Error('A pool has no runner');
    return runner;
  }

  get room(): Room {
    return roomOfAll(this.#slots.map(({ room }) => room));
  }

  /** From now on dead runners are not replaced. */
  close(): void {
    this.#closed = true;
  }

  /** Call when nothing is under way in the pool and it is no longer used. */
  dismiss(dismiss: (runner: Runner) => void): void {
    this.#closed = true;
    for (const runner of this.#slots) dismiss(runner);
  }

  #spawn(): Runner {
    const runner: Runner = this.#options.spawn((death) => this.#died(runner, death));
    return runner;
  }

  #died(runner: Runner, death: RunnerDeath): void {
    if (this.#closed) return;
    this.#options.onDeath(death);
    const now = performance.now();
    this.#deaths = [...this.#deaths.filter((at) => now - at < respawnWindowMs), now];
    if (this.#deaths.length <= quickRespawnsMax) this.#replace(runner);
    else setTimeout(() => this.#replace(runner), respawnDelayMs * (this.#deaths.length - quickRespawnsMax)).unref();
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
