// Runs the processes that sources share, in a pool for each pace: slow sources have one of their own, so that they take
// neither memory nor processor time from quick ones.
import type { Invocation, InvocationOutcome, Pace, Room } from '../../sandbox.ts';
import { lostOutcome } from './outcome.ts';
import { RunnerPool } from './runner-pool.ts';
import type { PoolOptions } from './runner-pool.ts';
import { emptyRoom } from './runner-room.ts';
import type { Runner } from './runner.ts';

/** One process for all slow sources that fit into its memory, because they mostly wait; it yields to all others. */
const slowRunners = 1;

interface Stay {
  readonly pace: Pace;
  underWay: number;
  readonly left: PromiseWithResolvers<void>;
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
  #slowStays = 0;
  #slowIdle: NodeJS.Timeout | undefined;
  /** The pace of each source that has invocations under way, because a source's db is in one process at a time. */
  readonly #stays = new Map<string, Stay>();

  constructor(options: PacedPoolsOptions) {
    const { spawn, onDeath, size } = options;
    this.#options = options;
    this.#quick = new RunnerPool({ spawn, onDeath, size, hasSpare: true });
  }

  async invoke(invocation: Invocation): Promise<InvocationOutcome> {
    const { sourceId } = invocation;
    const stay = this.#stays.get(sourceId) ?? this.#enter(invocation);
    if (stay === undefined) return lostOutcome(0);
    stay.underWay++;
    const outcome = await this.#pool(stay.pace).runnerOf(sourceId).invoke(invocation);
    if (--stay.underWay === 0) this.#leave(sourceId, stay);
    return outcome;
  }

  /** Resolves when no invocation of the source is under way any more; undefined: none is. */
  left(sourceId: string): Promise<void> | undefined {
    return this.#stays.get(sourceId)?.left.promise;
  }

  /** Unloads a source that has no invocation under way here. */
  drop(sourceId: string): void {
    for (const pool of [this.#quick, this.#slow]) pool?.runnerOf(sourceId).drop(sourceId);
  }

  room(pace: Pace): Room {
    if (pace === 'quick') return this.#quick.room;
    return this.#slow?.room ?? emptyRoom(this.#options.rssSoftBytes, slowRunners);
  }

  close(): void {
    clearTimeout(this.#slowIdle);
    this.#quick.close();
    this.#slow?.close();
  }

  /** Undefined: the run that the invocation should follow is gone. */
  #enter({ sourceId, pace = 'quick', follows }: Invocation): Stay | undefined {
    if (follows) return undefined;
    const other = pace === 'quick' ? this.#slow : this.#quick;
    other?.runnerOf(sourceId).drop(sourceId);
    const stay: Stay = { pace, underWay: 0, left: Promise.withResolvers() };
    this.#stays.set(sourceId, stay);
    if (pace === 'slow') {
      this.#slowStays++;
      clearTimeout(this.#slowIdle);
    }
    return stay;
  }

  #leave(sourceId: string, { pace, left }: Stay): void {
    this.#stays.delete(sourceId);
    left.resolve();
    if (pace === 'quick' || --this.#slowStays > 0) return;
    this.#slowIdle = setTimeout(() => this.#dismissSlow(), this.#options.slowIdleMs).unref();
  }

  #dismissSlow(): void {
    this.#slow?.dismiss(this.#options.dismiss);
    this.#slow = undefined;
  }

  #pool(pace: Pace): RunnerPool {
    if (pace === 'quick') return this.#quick;
    const { spawn, onDeath } = this.#options;
    this.#slow ??= new RunnerPool({
      spawn: (died) => spawn(died, true),
      onDeath,
      size: slowRunners,
      hasSpare: false,
    });
    return this.#slow;
  }
}
