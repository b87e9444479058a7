// Rebuilds every view while the live ones stay in use, and switches readers when the new ones have caught up.
import { positionKey, type PageBounds, type Position, type Positions } from '../../../log/index.ts';
import type { ViewBuild, ViewStore } from '../../../view-store/index.ts';
import type { CheckedLog } from '../../loop/reading/checked-log.ts';
import type { Tolerate } from '../../loop/reading/reading-trouble.ts';
import type { Fold } from '../fold/fold.ts';
import { remove } from '../fold/removal.ts';
import { putUsable } from '../fold/put-usable.ts';
import { inputsFrom } from '../inputs.ts';
import { persist, type Persistence } from '../persist.ts';

/** One page: documents for one transaction, and at least one record of any size. */
const bounds: PageBounds = { recordsMax: 500, bytesMax: 4 * 1024 * 1024 };
/** Records that can be left for the moment in which the live views wait. */
const leftOver = 1_000;
/** Each pass leaves fewer records, unless they arrive faster than they are read; then the live views wait for them. */
const passesMax = 20;

export interface RebuildParts extends Persistence {
  readonly log: CheckedLog;
  readonly views: ViewStore;
  /** Returns the positions up to which to rebuild. */
  readonly target: () => Promise<Positions>;
  readonly fold: Fold;
  readonly tolerate: Tolerate;
  /** Runs `work` while the live views pause, so that their checkpoint does not move. */
  readonly exclusive: <Result>(work: () => Promise<Result>) => Promise<Result>;
  readonly moved: () => void;
  /** Throws RebuildRefused unless the whole log is this process's share. */
  readonly checkAlone: () => void;
  /** Removes documents that have expired since they were written. */
  readonly cut: (build: ViewBuild) => Promise<void>;
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
  #documents = 0;

  constructor(parts: RebuildParts) {
    this.#parts = parts;
  }

  /** Number of writes; a document changed by later records counts again. */
  async run(): Promise<number> {
    const { views, exclusive, checkAlone } = this.#parts;
    checkAlone();
    const build = await this.#persist(() => views.begin());
    for (let pass = 0; pass < passesMax; pass++) {
      const target = await this.#target();
      if (this.#distance(target) <= leftOver) break;
      await this.#catchUp(build, target);
    }
    await exclusive(async () => {
      await this.#catchUp(build, await this.#target());
      await this.#persist(() => this.#parts.cut(build));
      await this.#persist(() => build.saveCheckpoint(this.#positions));
      checkAlone();
      await views.switchTo(build);
    });
    return this.#documents;
  }

  #target(): Promise<Positions> {
    return this.#persist(() => this.#parts.target());
  }

  /** An upper bound of the number of records left, since offsets have gaps. */
  #distance(target: Positions): number {
    return inputsFrom(this.#parts.log, target).reduce((sum, input) => sum + input.offset - this.#reached(input), 0);
  }

  #reached({ topic, partition }: Position): number {
    return this.#positions[positionKey(topic, partition)] ?? 0;
  }

  async #catchUp(build: ViewBuild, target: Positions): Promise<void> {
    for (const input of inputsFrom(this.#parts.log, target)) {
      for (let more = true; more && this.#reached(input) < input.offset;) more = await this.#page(build, input);
    }
  }

  /** Folds one page; returns false when nothing is left before the input's offset. */
  async #page(build: ViewBuild, { topic, partition, offset }: Position): Promise<boolean> {
    const { log, fold, moved, stopped, checkAlone } = this.#parts;
    stopped.throwIfAborted();
    checkAlone();
    const key = positionKey(topic, partition);
    const from = this.#positions[key] ?? 0;
    const page = await this.#persist(() => log.read(topic, partition, from, { ...bounds, to: offset }));
    const writes = await this.#persist(() => fold.writes(build, page.records));
    await this.#persist(() => putUsable(build, writes, this.#parts.tolerate));
    await this.#persist(() => remove(build, fold.removals(page.records), 'all'));
    this.#documents += writes.length;
    this.#positions = { ...this.#positions, [key]: page.next };
    moved();
    return page.next > from;
  }

  #persist<Result>(work: () => Promise<Result>): Promise<Result> {
    return persist(work, this.#parts);
  }
}
