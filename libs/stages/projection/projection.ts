// Projects this process's share of the log from the views' checkpoint: writes documents, then the checkpoint.
import { flow } from '../../domain/flow.ts';
import { views as productViews } from '../../domain/views/index.ts';
import { SoleOwner } from '../../log/sole-owner.ts';
import { resolvesInTime } from '../../primitives/time-limit.ts';
import { CheckedLog } from '../loop/reading/checked-log.ts';
import { AlertingReporter } from '../loop/reading/alerting-reporter.ts';
import type { Input } from '../loop/measuring/loop-figures.ts';
import { noAlerts } from '../loop/alerts/alerts.ts';
import { stalledAfterMs, stalledText } from '../loop/reporting/stalled.ts';
import type { Runnable } from '../loop/strategy.ts';
import { Fold } from './fold/fold.ts';
import { NotedRemovals } from './fold/noted-removals.ts';
import { BackgroundRemovals } from './fold/background-removals.ts';
import { endsOf, inputsFrom, type Share } from './inputs.ts';
import { idleTurnMs } from './lanes/lane.ts';
import { Lanes } from './lanes/lanes.ts';
import { LivePositions } from './positions/live-positions.ts';
import type { ProjectionOptions } from './projection-options.ts';
import { withRetry, type RetryOptions } from './retry.ts';
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
  readonly #trouble: AlertingReporter;
  readonly #fold: Fold;
  readonly #retention: Retention;
  readonly #stop = new AbortController();
  readonly #retryOptions: RetryOptions;
  readonly #shares = new OwnedShares();
  readonly #backgroundRemovals = new BackgroundRemovals();
  readonly #notedRemovals: NotedRemovals;
  readonly #livePositions: LivePositions;
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
    this.#trouble = new AlertingReporter(alerts, logger);
    this.#log = new CheckedLog(options.log, this.#trouble);
    this.#fold = new Fold(definitions, this.#trouble.tolerate, () => this.#retention.before);
    this.#retryOptions = {
      stopped: this.#stop.signal,
      retrying: (error, waitMs) => {
        this.#failure = error;
        options.onRetry?.(error, waitMs);
      },
    };
    this.#livePositions = new LivePositions(options);
    this.#notedRemovals = new NotedRemovals(views, this.#shares, this.#backgroundRemovals, this.#stop.signal);
    this.#retention = new Retention({
      ...this.#retryOptions,
      ...options,
      definitions,
      checked: this.#log,
      share: () => this.#shares.current,
      waitUntilWritten: () => this.#lanes.exclusive(() => Promise.resolve()),
    });
    this.#lanes = new Lanes({
      log: this.#log,
      views,
      fold: this.#fold,
      tolerate: this.#trouble.tolerate,
      livePositions: this.#livePositions,
      backgroundRemovals: this.#backgroundRemovals,
      notedRemovals: this.#notedRemovals,
      elapsedMs: options.elapsedMs ?? (() => performance.now()),
      onProgress: () => (this.#failure = undefined),
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
    const from = inputsFrom(this.#options.log, this.#livePositions.positions, this.#shares.current);
    return from.map((position) => ({ ...position, owned: position.partition }));
  }

  /** Whether the whole log is this projection's share. */
  get ownsWholeLog(): boolean {
    return !this.#shares.isPartial(this.#options.log.partitions);
  }

  /**
   * Begins to follow the log. Retryable port errors are retried. Damaged data or a broken invariant, which no retry
   * can help, stops the projection and goes to `onFatal`.
   */
  async start(onFatal: (error: unknown) => void): Promise<void> {
    if (this.#following !== undefined) return;
    const { log, ownership = new SoleOwner(log.partitions) } = this.#options;
    this.#shares.join(ownership, () => this.#waitForHandOver(), onFatal);
    this.#following = this.#run(onFatal);
    this.#retention.start(onFatal);
  }

  /** Stops after the batch in flight. Abandons a rebuild in progress; the live views do not change. */
  async stop(): Promise<void> {
    this.#stop.abort(new Error('The projection is stopping'));
    this.#shares.wake();
    await this.#lanes.close();
    await this.#following;
    await this.#backgroundRemovals.waitUntilEnded();
    await this.#retention.waitUntilEnded();
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
    await withRetry(() => this.#retention.loadNewestFact(), this.#retryOptions);
    const rebuild = new Rebuild({
      ...this.#retryOptions,
      log: this.#log,
      views,
      fold: this.#fold,
      tolerate: this.#trouble.tolerate,
      target: () => (this.#following === undefined ? endsOf(this.#log) : views.live().checkpoint()),
      exclusive: (work) => this.#lanes.exclusive(() => this.#backgroundRemovals.waitUntilDone().then(work)),
      onProgress: () => this.#noteProgress(),
      assertSoleOwner: () => this.#assertSoleOwner(),
      removeExpired: (build) => this.#retention.removeExpiredFrom(build),
    });
    const documents = await rebuild.run();
    this.#retention.handleSwitched();
    return { documents, durationMs: performance.now() - began };
  }

  async #run(onFatal: (error: unknown) => void): Promise<void> {
    try {
      await withRetry(() => this.#follow(), this.#retryOptions);
    } catch (error) {
      if (!this.#stop.signal.aborted) onFatal(error);
    }
  }

  /** Follows one share after another until stopped; called again after any failure. */
  async #follow(): Promise<void> {
    await this.#retention.loadNewestFact();
    while (!this.#stop.signal.aborted) {
      const share = this.#shares.current;
      if (share.size > 0) await this.#followShare(share);
      else await this.#shares.waitForChange(idleTurnMs);
      this.#noteProgress();
    }
  }

  /** Projects from the checkpoint until stopped or given another share. Records after the checkpoint are repeated. */
  async #followShare(share: Share): Promise<void> {
    await this.#backgroundRemovals.waitUntilEnded();
    const positions = await this.#lanes.exclusive(() => this.#livePositions.restore(share));
    this.#notedRemovals.resume();
    await this.#lanes.follow({ share, positions, shouldContinue: () => this.#shouldFollow(share) });
  }

  #shouldFollow(share: Share): boolean {
    return this.#shares.current === share && !this.#stop.signal.aborted;
  }

  /** Resolves when no batch of a lost partition is in flight, or after `handOverMaxMs`. */
  async #waitForHandOver(): Promise<void> {
    await this.#lanes.close();
    const idle = this.#lanes.exclusive(() => this.#backgroundRemovals.waitUntilEnded());
    await resolvesInTime(idle, handOverMaxMs);
  }

  /** Throws while other projections run: they would continue to write to the old views. */
  #assertSoleOwner(): void {
    if (!this.ownsWholeLog) throw new RebuildRefused(this.#shares.current.size, this.#options.log.partitions);
  }

  #noteProgress(): void {
    this.#lanes.noteProgress();
    this.#failure = undefined;
  }
}
