// Rebuilds every view while the live ones stay in use, and switches readers when the new ones have caught up.
import { positionKey, type PageBounds, type Position, type Positions } from '../../../log/index.ts';
import type { HeldRecords, ViewBuild, ViewStore } from '../../../view-store/index.ts';
import type { CheckedLog } from '../../loop/reading/checked-log.ts';
import type { Tolerate } from '../../loop/reading/alerting-reporter.ts';
import type { Fold } from '../fold/fold.ts';
import { removeDocuments } from '../fold/removal.ts';
import { putUsable } from '../fold/put-usable.ts';
import { inputsFrom } from '../inputs.ts';
import { lastRecordsOf } from '../positions/held-records.ts';
import { withRetry, type RetryOptions } from '../retry.ts';

/** One page: documents for one transaction, and at least one record of any size. */
const bounds: PageBounds = { recordsMax: 500, bytesMax: 4 * 1024 * 1024 };
/** Records that can be left for the moment in which the live views wait. */
const remainingMax = 1_000;
/** Each pass leaves fewer records, unless they arrive faster than they are read; then the live views wait for them. */
const passesMax = 20;

export interface RebuildParts extends RetryOptions {
  readonly log: CheckedLog;
  readonly views: ViewStore;
  /** Returns the positions up to which to rebuild. */
  readonly target: () => Promise<Positions>;
  readonly fold: Fold;
  readonly tolerate: Tolerate;
  /** Runs `work` while the live views pause, so that their checkpoint does not move. */
  readonly exclusive: <Result>(work: () => Promise<Result>) => Promise<Result>;
  readonly onProgress: () => void;
  /** Throws RebuildRefused unless the whole log is this process's share. */
  readonly assertSoleOwner: () => void;
  /** Removes documents that have expired since they were written. */
  readonly removeExpired: (build: ViewBuild) => Promise<void>;
}

/** Several projections share the log, so none of them is allowed to switch the views for all. */
export class RebuildRefused extends Error {
  constructor(owned: number, partitions: number) {
    super(
      `This projection has ${owned} of ${partitions} partitions: others write into the live views too. ` +
        'Run one projection only, ask it again once it has taken the others over, and start the others afterwards.',
    );
    this.name = 'RebuildRefused';
  }
}

export class Rebuild {
  readonly #parts: RebuildParts;
  #positions: Positions = {};
  #held: HeldRecords = {};
  #documents = 0;

  constructor(parts: RebuildParts) {
    this.#parts = parts;
  }

  /** Number of writes; a document changed by later records counts again. */
  async run(): Promise<number> {
    const { views, exclusive, assertSoleOwner } = this.#parts;
    assertSoleOwner();
    const build = await this.#withRetry(() => views.begin());
    for (let pass = 0; pass < passesMax; pass++) {
      const target = await this.#target();
      if (this.#remaining(target) <= remainingMax) break;
      await this.#catchUp(build, target);
    }
    await exclusive(async () => {
      await this.#catchUp(build, await this.#target());
      await this.#withRetry(() => this.#parts.removeExpired(build));
      await this.#withRetry(() => build.saveCheckpoint(this.#positions, this.#held));
      assertSoleOwner();
      await views.switchTo(build);
    });
    return this.#documents;
  }

  #target(): Promise<Positions> {
    return this.#withRetry(() => this.#parts.target());
  }

  /** An upper bound of the number of records left, since offsets have gaps. */
  #remaining(target: Positions): number {
    return inputsFrom(this.#parts.log, target).reduce((sum, input) => sum + input.offset - this.#positionOf(input), 0);
  }

  #positionOf({ topic, partition }: Position): number {
    return this.#positions[positionKey(topic, partition)] ?? 0;
  }

  async #catchUp(build: ViewBuild, target: Positions): Promise<void> {
    for (const input of inputsFrom(this.#parts.log, target)) {
      for (let more = true; more && this.#positionOf(input) < input.offset;) more = await this.#foldPage(build, input);
    }
  }

  /** Folds one page; returns false when nothing is left before the input's offset. */
  async #foldPage(build: ViewBuild, { topic, partition, offset }: Position): Promise<boolean> {
    const { log, fold, onProgress, stopped, assertSoleOwner } = this.#parts;
    stopped.throwIfAborted();
    assertSoleOwner();
    const key = positionKey(topic, partition);
    const from = this.#positions[key] ?? 0;
    const page = await this.#withRetry(() => log.read(topic, partition, from, { ...bounds, to: offset }));
    const writes = await this.#withRetry(() => fold.writes(build, page.records));
    await this.#withRetry(() => putUsable(build, writes, this.#parts.tolerate));
    await this.#withRetry(() => removeDocuments(build, fold.removals(page.records), 'all'));
    this.#documents += writes.length;
    this.#positions = { ...this.#positions, [key]: page.next };
    this.#held = { ...this.#held, ...lastRecordsOf([page]) };
    onProgress();
    return page.next > from;
  }

  #withRetry<Result>(work: () => Promise<Result>): Promise<Result> {
    return withRetry(work, this.#parts);
  }
}
