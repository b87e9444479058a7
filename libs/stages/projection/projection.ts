// The projection: follows the log from the views' own checkpoint, writes the documents, then the checkpoint.
import { setTimeout as delay } from 'node:timers/promises';
import { flow } from '../../domain/flow.ts';
import type { Millis } from '../../domain/message.ts';
import type { PortError } from '../../domain/port-error.ts';
import { views as productViews, type View } from '../../domain/views/index.ts';
import { positionKey, type Log, type Page, type PageBounds, type Positions, type Tail } from '../../log/index.ts';
import type { ViewStore } from '../../view-store/index.ts';
import { stalledAfterMs } from '../loop/stage-loop.ts';
import type { Runnable } from '../loop/strategy.ts';
import { Fold } from './fold.ts';
import { aheadOf, inputsFrom } from './inputs.ts';
import { persist, type Persistence } from './persist.ts';
import { Rebuild } from './rebuild.ts';

/** What one read of one partition takes. */
const bounds: PageBounds = { recordsMax: 500, bytesMax: 1024 * 1024 };
/** Pages are written together up to here: enough to share a commit, and a command's answer waits for no more. */
const recordsPerBatch = 500;
/** How long an idle turn lasts; health looks every few seconds. */
const idleTurnMs = 1_000;
/** Turns begin this far apart at least: a command's answer does not feel it, and a thousand events a second share commits. */
const turnMsMin = 10;

export interface ProjectionOptions {
  readonly log: Log;
  readonly views: ViewStore;
  readonly clock: { now(): Millis };
  /** What makes the documents; by default the product's views. */
  readonly definitions?: readonly View[];
  /** Port trouble that is tried again after `waitMs`. */
  readonly onRetry?: (error: PortError, waitMs: number) => void;
  /** For people: the views begin anew, and why. */
  readonly onFresh?: (message: string) => void;
}

export interface Rebuilt {
  /** Written; one that later records changed counts again. */
  readonly documents: number;
  readonly durationMs: number;
}

export class Projection implements Runnable {
  readonly name = 'projection';
  readonly #options: ProjectionOptions;
  readonly #fold: Fold;
  readonly #stop = new AbortController();
  readonly #persistence: Persistence;
  #tail: Tail | undefined;
  #following: Promise<void> | undefined;
  #rebuilding: Promise<Rebuilt> | undefined;
  #turn: Promise<unknown> = Promise.resolve();
  #movedAt: Millis;

  constructor(options: ProjectionOptions) {
    const definitions = options.definitions ?? productViews;
    const read: ReadonlySet<string> = new Set(flow.projection.reads);
    const unread = definitions.flatMap(({ topics }) => topics).find((topic) => !read.has(topic));
    if (unread !== undefined) throw new Error(`A view reads ${unread}, which flow.ts does not give the projection`);
    this.#options = options;
    this.#fold = new Fold(definitions);
    this.#persistence = {
      stopped: this.#stop.signal,
      retrying: (error, waitMs) => options.onRetry?.(error, waitMs),
    };
    this.#movedAt = options.clock.now();
  }

  /** When the loop last turned, idle turns included; it stands still while a port fails. */
  get lastMovedAt(): Millis {
    return this.#movedAt;
  }

  get healthy(): boolean {
    return this.#options.clock.now() - this.#movedAt < stalledAfterMs;
  }

  /**
   * Begins to follow the log. Port trouble that may pass is retried; what no retry helps, damaged data or a broken
   * invariant, goes to `onFatal`, and then the projection has stopped.
   */
  async start(onFatal: (error: unknown) => void): Promise<void> {
    this.#following ??= this.#run(onFatal);
  }

  /** After the batch in flight. A rebuild under way is given up; the live views stand as they are. */
  async stop(): Promise<void> {
    this.#stop.abort(new Error('The projection is stopping'));
    await this.#tail?.close();
    await this.#following;
    await this.#rebuilding?.catch(() => undefined);
  }

  /** Makes all views anew and switches readers to them; also without `start`, up to the live checkpoint. One at a time. */
  rebuild(): Promise<Rebuilt> {
    this.#rebuilding ??= this.#rebuild().finally(() => (this.#rebuilding = undefined));
    return this.#rebuilding;
  }

  async #rebuild(): Promise<Rebuilt> {
    const began = performance.now();
    const { log, views } = this.#options;
    const rebuild = new Rebuild({
      ...this.#persistence,
      log,
      views,
      fold: this.#fold,
      exclusive: (work) => this.#exclusive(work),
      moved: () => this.#moved(),
    });
    const documents = await rebuild.run();
    return { documents, durationMs: performance.now() - began };
  }

  async #run(onFatal: (error: unknown) => void): Promise<void> {
    try {
      await persist(() => this.#follow(), this.#persistence);
    } catch (error) {
      if (!this.#stop.signal.aborted) onFatal(error);
    }
  }

  /** From the checkpoint until stopped; after any failure it is called again and repeats what was not checkpointed. */
  async #follow(): Promise<void> {
    const { log } = this.#options;
    let positions = await this.#exclusive(() => this.#begin());
    const tail = log.tail(inputsFrom(log, positions), bounds);
    this.#tail = tail;
    try {
      while (!this.#stop.signal.aborted) {
        const startedAt = performance.now();
        positions = await this.#projectAll(await tail.next(idleTurnMs), positions);
        this.#moved();
        await this.#gather(performance.now() - startedAt);
      }
    } finally {
      await tail.close();
    }
  }

  /** Under load the next turn waits a little, so that one commit of the views takes what has come meanwhile. */
  async #gather(turnMs: number): Promise<void> {
    if (turnMs < turnMsMin && !this.#stop.signal.aborted) await delay(turnMsMin - turnMs);
  }

  async #projectAll(pages: readonly Page[], from: Positions): Promise<Positions> {
    let positions = from;
    for (const batch of batches(pages)) {
      if (this.#stop.signal.aborted) return positions;
      positions = await this.#exclusive(() => this.#project(batch, positions));
      this.#moved();
    }
    return positions;
  }

  /** The live checkpoint. Views that are ahead of the log were made from another one, and begin anew. */
  async #begin(): Promise<Positions> {
    const { log, views, onFresh } = this.#options;
    const positions = await views.live().checkpoint();
    const ahead = await aheadOf(log, positions);
    if (ahead === undefined) return positions;
    await views.switchTo(await views.begin());
    const place = positionKey(ahead.topic, ahead.partition);
    onFresh?.(`The views had passed ${place} at ${ahead.offset}, beyond the log's end, and are made anew.`);
    return {};
  }

  /** Documents first, then the checkpoint: what a crash leaves between them is repeated without effect. */
  async #project(pages: readonly Page[], positions: Positions): Promise<Positions> {
    const live = this.#options.views.live();
    const writes = await this.#fold.writes(
      live,
      pages.flatMap(({ records }) => records),
    );
    if (writes.length > 0) await live.put(writes);
    const passed = Object.fromEntries(pages.map((page) => [positionKey(page.topic, page.partition), page.next]));
    const reached = { ...positions, ...passed };
    await live.saveCheckpoint(reached);
    return reached;
  }

  /** Batches and the end of a rebuild take turns. */
  #exclusive<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = this.#turn.then(work);
    this.#turn = result.catch(() => undefined);
    return result;
  }

  #moved(): void {
    this.#movedAt = this.#options.clock.now();
  }
}

/** Pages in their order, some together: topics of the control plane come first, so their commands wait for one batch. */
function batches(pages: readonly Page[]): Page[][] {
  const all: Page[][] = [];
  let last: Page[] = [];
  let records = 0;
  for (const page of pages) {
    records += page.records.length;
    if (last.length === 0 || records > recordsPerBatch) {
      all.push((last = []));
      records = page.records.length;
    }
    last.push(page);
  }
  return all;
}
