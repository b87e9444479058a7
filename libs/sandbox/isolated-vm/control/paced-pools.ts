// Runs the processes that sources share, in a pool for each pace: slow sources have one of their own, so that they take
// neither memory nor processor time from quick ones.
import type { Invocation, InvocationOutcome, Pace, Capacity } from '../../sandbox.ts';
import { lostOutcome } from './lost-outcome.ts';
import { RunnerPool } from './runner-pool.ts';
import type { PoolOptions } from './runner-pool.ts';
import { emptyCapacity } from './runner-capacity.ts';
import type { Runner } from './runner.ts';

/** One process for all slow sources that fit into its memory, because they mostly wait; it yields to all others. */
const slowRunnerCount = 1;

interface ActiveSource {
  readonly pace: Pace;
  runningCount: number;
  readonly idle: PromiseWithResolvers<void>;
}

export interface PacedPoolsOptions extends Pick<PoolOptions, 'spawn' | 'onDeath'> {
  /** The number of processes for quick sources. */
  readonly size: number;
  readonly rssSoftBytes: number;
  readonly dismiss: (runner: Runner) => void;
  readonly slowIdleMs: number;
}

export class PacedPools {
  readonly #options: PacedPoolsOptions;
  readonly #quick: RunnerPool;
  /** Started for the first slow source; ends after `slowIdleMs` without invocations of slow sources. */
  #slow: RunnerPool | undefined;
  #activeSlowSources = 0;
  #slowIdle: NodeJS.Timeout | undefined;
  /** The pace of each source that has invocations under way, because a source's db is in one process at a time. */
  readonly #activeSources = new Map<string, ActiveSource>();

  constructor(options: PacedPoolsOptions) {
    const { spawn, onDeath, size } = options;
    this.#options = options;
    this.#quick = new RunnerPool({ spawn, onDeath, size, hasSpare: true });
  }

  async invoke(invocation: Invocation): Promise<InvocationOutcome> {
    const { sourceId } = invocation;
    const source = this.#activeSources.get(sourceId) ?? this.#addActive(invocation);
    if (source === undefined) return lostOutcome(0);
    source.runningCount++;
    const outcome = await this.#poolOf(source.pace).runnerOf(sourceId).invoke(invocation);
    if (--source.runningCount === 0) this.#removeActive(sourceId, source);
    return outcome;
  }

  /** Resolves when no invocation of the source is under way any more; undefined: none is. */
  whenIdle(sourceId: string): Promise<void> | undefined {
    return this.#activeSources.get(sourceId)?.idle.promise;
  }

  /** Unloads a source that has no invocation under way here. */
  drop(sourceId: string): void {
    for (const pool of [this.#quick, this.#slow]) pool?.runnerOf(sourceId).drop(sourceId);
  }

  capacity(pace: Pace): Capacity {
    if (pace === 'quick') return this.#quick.capacity;
    return this.#slow?.capacity ?? emptyCapacity(this.#options.rssSoftBytes, slowRunnerCount);
  }

  close(): void {
    clearTimeout(this.#slowIdle);
    this.#quick.close();
    this.#slow?.close();
  }

  /** Undefined: the run that the invocation should follow is gone. */
  #addActive({ sourceId, pace = 'quick', follows }: Invocation): ActiveSource | undefined {
    if (follows) return undefined;
    const otherPool = pace === 'quick' ? this.#slow : this.#quick;
    otherPool?.runnerOf(sourceId).drop(sourceId);
    const source: ActiveSource = { pace, runningCount: 0, idle: Promise.withResolvers() };
    this.#activeSources.set(sourceId, source);
    if (pace === 'slow') {
      this.#activeSlowSources++;
      clearTimeout(this.#slowIdle);
    }
    return source;
  }

  #removeActive(sourceId: string, { pace, idle }: ActiveSource): void {
    this.#activeSources.delete(sourceId);
    idle.resolve();
    if (pace === 'quick' || --this.#activeSlowSources > 0) return;
    this.#slowIdle = setTimeout(() => this.#dismissSlow(), this.#options.slowIdleMs).unref();
  }

  #dismissSlow(): void {
    this.#slow?.dismiss(this.#options.dismiss);
    this.#slow = undefined;
  }

  #poolOf(pace: Pace): RunnerPool {
    if (pace === 'quick') return this.#quick;
    const { spawn, onDeath } = this.#options;
    this.#slow ??= new RunnerPool({
      spawn: (died) => spawn(died, true),
      onDeath,
      size: slowRunnerCount,
      hasSpare: false,
    });
    return this.#slow;
  }
}
