// Projects this process's share of the log from the views' checkpoint: writes documents, then the checkpoint.
import { flow } from '../../domain/flow.ts';
import { views as productViews } from '../../domain/views/index.ts';
import { SoleOwner } from '../../log/sole-owner.ts';
import { inTime } from '../../primitives/time-limit.ts';
import { CheckedLog } from '../loop/reading/checked-log.ts';
import { Trouble } from '../loop/reading/reading-trouble.ts';
import type { Input } from '../loop/measuring/measured.ts';
import { noAlerts } from '../loop/alerts/alerts.ts';
import { stalledAfterMs, stalledText } from '../loop/reporting/stalled.ts';
import type { Runnable } from '../loop/strategy.ts';
import { Fold } from './fold/fold.ts';
import { NotedRemovals } from './fold/noted-removals.ts';
import { Removing } from './fold/removing.ts';
import { endsOf, inputsFrom, type Share } from './inputs.ts';
import { idleTurnMs } from './lanes/lane.ts';
import { Lanes } from './lanes/lanes.ts';
import { Passed } from './passing/passed.ts';
import type { ProjectionOptions } from './projection-options.ts';
import { persist, type Persistence } from './persist.ts';
import { Rebuild, RebuildRefused } from './rebuild/rebuild.ts';
import { Retention } from './retention/retention.ts';
import { OwnedShares } from './shares.ts';

/**
 * After this time a partition is handed over even if a batch is in flight: writing a document twice changes nothing.
 */
const handOverMaxMs = 3_000;

export interface Rebuilt {
  /** Number of writes; a document changed by later records counts again. */
  readonly documents: number;
  readonly durationMs: number;
}

export class Projection implements Runnable {
  readonly name = 'projection';
  readonly #options: ProjectionOptions;
  readonly #log: CheckedLog;
  readonly #trouble: Trouble;
  readonly #fold: Fold;
  readonly #retention: Retention;
  readonly #stop = new AbortController();
  readonly #persistence: Persistence;
  readonly #shares = new OwnedShares();
  readonly #removing = new Removing();
  readonly #noted: NotedRemovals;
  readonly #passed: Passed;
  readonly #lanes: Lanes;
  #following: Promise<void> | undefined;
  #rebuilding: Promise<Rebuilt> | undefined;
  /** The failure after which it retries. */
  #failure: Error | undefined;

  constructor(options: ProjectionOptions) {
    const definitions = options.definitions ?? productViews;
    const read: ReadonlySet<string> = new Set(flow.projection.reads);
    const unread = definitions.flatMap(({ topics }) => topics).find((topic) => !read.has(topic));
    if (unread !== undefined) throw new Error(`A view reads ${unread}, which flow.ts does not give the projection`);
    this.#options = options;
    const { views, alerts = noAlerts, logger = { warn: () => {} } } = options;
    this.#trouble = new Trouble(alerts, logger);
    this.#log = new CheckedLog(options.log, this.#trouble);
    this.#fold = new Fold(definitions, this.#trouble.tolerate, () => this.#retention.before);
    this.#persistence = {
      stopped: this.#stop.signal,
      retrying: (error, waitMs) => {
        this.#failure = error;
        options.onRetry?.(error, waitMs);
      },
    };
    this.#passed = new Passed(options);
    this.#noted = new NotedRemovals(views, this.#shares, this.#removing, this.#stop.signal);
    this.#retention = new Retention({
      ...this.#persistence,
      ...options,
      definitions,
      checked: this.#log,
      share: () => this.#shares.current,
      settled: () => this.#lanes.exclusive(() => Promise.resolve()),
    });
    this.#lanes = new Lanes({
      log: this.#log,
      views,
      fold: this.#fold,
      tolerate: this.#trouble.tolerate,
      passed: this.#passed,
      removing: this.#removing,
      noted: this.#noted,
      elapsedMs: options.elapsedMs ?? (() => performance.now()),
      moved: () => (this.#failure = undefined),
    });
  }

  get healthy(): boolean {
    return this.trouble === undefined;
  }

  get trouble(): string | undefined {
    const newer = this.#lanes.newer ?? this.#retention.newer;
    if (newer !== undefined) return newer.message;
    return this.idleMs < stalledAfterMs ? undefined : stalledText(this.#failure);
  }

  /** Milliseconds without a turn, by `elapsedMs`: short while there is nothing to read, and long while a port fails. */
  get idleMs(): number {
    return this.#lanes.idleMs;
  }

  /** The next offset to project of each input. */
  get inputs(): readonly Input[] {
    const from = inputsFrom(this.#options.log, this.#passed.positions, this.#shares.current);
    return from.map((position) => ({ ...position, owned: position.partition }));
  }

  /** Whether the whole log is this projection's share. */
  get isAlone(): boolean {
    return !this.#shares.isPartOf(this.#options.log.partitions);
  }

  /**
   * Begins to follow the log. Retryable port errors are retried. Damaged data or a broken invariant, which no retry
   * can help, stops the projection and goes to `onFatal`.
   */
  async start(onFatal: (error: unknown) => void): Promise<void> {
    if (this.#following !== undefined) return;
    const { log, ownership = new SoleOwner(log.partitions) } = this.#options;
    this.#shares.join(ownership, () => this.#handedOn(), onFatal);
    this.#following = this.#run(onFatal);
    this.#retention.start(onFatal);
  }

  /** Stops after the batch in flight. Abandons a rebuild in progress; the live views do not change. */
  async stop(): Promise<void> {
    this.#stop.abort(new Error('The projection is stopping'));
    this.#shares.wake();
    await this.#lanes.close();
    await this.#following;
    await this.#removing.ended();
    await this.#retention.ended();
    await this.#rebuilding?.catch(() => undefined);
    await this.#shares.leave();
  }

  /**
   * Rebuilds all views up to the live checkpoint (without `start`, the log's end), one at a time, and switches readers.
   * Rejects with RebuildRefused while others project a part of the log.
   */
  rebuild(): Promise<Rebuilt> {
    this.#rebuilding ??= this.#rebuild().finally(() => (this.#rebuilding = undefined));
    return this.#rebuilding;
  }

  async #rebuild(): Promise<Rebuilt> {
    const began = performance.now();
    const { views } = this.#options;
    await persist(() => this.#retention.learn(), this.#persistence);
    const rebuild = new Rebuild({
      ...this.#persistence,
      log: this.#log,
      views,
      fold: this.#fold,
      tolerate: this.#trouble.tolerate,
      target: () => (this.#following === undefined ? endsOf(this.#log) : views.live().checkpoint()),
      exclusive: (work) => this.#lanes.exclusive(() => this.#removing.settled().then(work)),
      moved: () => this.#moved(),
      checkAlone: () => this.#checkAlone(),
      cut: (build) => this.#retention.cutNew(build),
    });
    const documents = await rebuild.run();
    this.#retention.switched();
    return { documents, durationMs: performance.now() - began };
  }

  async #run(onFatal: (error: unknown) => void): Promise<void> {
    try {
      await persist(() => this.#follow(), this.#persistence);
    } catch (error) {
      if (!this.#stop.signal.aborted) onFatal(error);
    }
  }

  /** Follows one share after another until stopped; called again after any failure. */
  async #follow(): Promise<void> {
    await this.#retention.learn();
    while (!this.#stop.signal.aborted) {
      const share = this.#shares.current;
      if (share.size > 0) await this.#followShare(share);
      else await this.#shares.change(idleTurnMs);
      this.#moved();
    }
  }

  /** Projects from the checkpoint until stopped or given another share. Records after the checkpoint are repeated. */
  async #followShare(share: Share): Promise<void> {
    await this.#removing.ended();
    const positions = await this.#lanes.exclusive(() => this.#passed.begin(share));
    this.#noted.resume();
    await this.#lanes.follow({ share, positions, goesOn: () => this.#follows(share) });
  }

  #follows(share: Share): boolean {
    return this.#shares.current === share && !this.#stop.signal.aborted;
  }

  /** Resolves when no batch of a lost partition is in flight, or after `handOverMaxMs`. */
  async #handedOn(): Promise<void> {
    await this.#lanes.close();
    const rested = this.#lanes.exclusive(() => this.#removing.ended());
    await inTime(rested, handOverMaxMs);
  }

  /** Throws while other projections run: they would continue to write to the old views. */
  #checkAlone(): void {
    if (!this.isAlone) throw new RebuildRefused(this.#shares.current.size, this.#options.log.partitions);
  }

  #moved(): void {
    this.#lanes.moved();
    this.#failure = undefined;
  }
}
