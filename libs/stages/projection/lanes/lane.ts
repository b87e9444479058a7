// Follows the inputs of one lane together, in batches, one after the other.
import type { TopicName } from '../../../domain/flow.ts';
import type { Page, PageBounds, Positions } from '../../../log/index.ts';
import type { ViewStore } from '../../../view-store/index.ts';
import type { CheckedLog } from '../../loop/reading/checked-log.ts';
import type { CheckedTail } from '../../loop/reading/checked-tail.ts';
import type { Tolerate } from '../../loop/reading/reading-trouble.ts';
import type { CheckedPage, NewerRecordError } from '../../loop/reading/unusable.ts';
import { batches } from '../fold/batches.ts';
import type { Fold } from '../fold/fold.ts';
import { gather, letEventsGoFirst } from '../fold/gather.ts';
import type { NotedRemovals } from '../fold/noted-removals.ts';
import { putUsable } from '../fold/put-usable.ts';
import { remove, type Removal } from '../fold/removal.ts';
import type { Removing } from '../fold/removing.ts';
import { inputsFrom, keyOf, type Share } from '../inputs.ts';
import type { Passed } from '../passing/passed.ts';

/** The most that one read of one partition takes. */
const bounds: PageBounds = { recordsMax: 500, bytesMax: 1024 * 1024 };
/** How long an idle turn lasts; health checks every few seconds. */
export const idleTurnMs = 1_000;

export interface LaneParts {
  readonly log: CheckedLog;
  readonly views: ViewStore;
  readonly fold: Fold;
  readonly tolerate: Tolerate;
  readonly passed: Passed;
  readonly removing: Removing;
  readonly noted: NotedRemovals;
  /** Called after each step. */
  readonly moved: () => void;
}

/** A part of the log to follow, from the views' checkpoint. */
export interface Route {
  readonly share: Share;
  readonly positions: Positions;
  /** Whether to continue, called before each step. */
  readonly goesOn: () => boolean;
}

export class Lane {
  readonly #topics: ReadonlySet<TopicName>;
  readonly #parts: LaneParts;
  #tail: CheckedTail | undefined;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(topics: readonly TopicName[], parts: LaneParts) {
    this.#topics = new Set(topics);
    this.#parts = parts;
  }

  /** The first record that is newer than this program. */
  get newer(): NewerRecordError | undefined {
    return this.#tail?.newer;
  }

  /** Projects until `goesOn` returns false or the lane is closed. */
  async follow({ share, positions, goesOn }: Route): Promise<void> {
    const { log, passed, removing, moved } = this.#parts;
    const inputs = inputsFrom(log, positions, share).filter(({ topic }) => this.#topics.has(topic));
    const tail = log.tail(inputs, bounds);
    this.#tail = tail;
    try {
      while (goesOn()) {
        const startedAt = performance.now();
        const pages = await tail.next(idleTurnMs);
        if (pages.length === 0) await passed.check();
        await letEventsGoFirst(pages, bounds);
        await this.#projectAll(pages, goesOn);
        removing.check();
        moved();
        if (goesOn()) await gather(pages, performance.now() - startedAt, bounds);
      }
    } finally {
      await tail.close();
    }
  }

  /** Ends a wait for records, so that `follow` checks whether to continue. */
  async close(): Promise<void> {
    await this.#tail?.close();
  }

  /** Runs `work` between two batches. */
  exclusive<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = this.#turn.then(work);
    this.#turn = result.catch(() => undefined);
    return result;
  }

  async #projectAll(pages: readonly CheckedPage[], goesOn: () => boolean): Promise<void> {
    for (const batch of batches(pages)) {
      if (!goesOn()) return;
      await this.exclusive(() => this.#project(batch));
      this.#parts.moved();
    }
  }

  /** Documents first, then the checkpoint: after a crash in between, repeating the records changes nothing. */
  async #project(pages: readonly CheckedPage[]): Promise<void> {
    const { views, fold, tolerate, passed, removing, noted } = this.#parts;
    await removing.settled(pages.map(keyOf));
    const live = views.live();
    const all = pages.flatMap(({ records }) => records);
    const writes = await fold.writes(live, all);
    if (writes.length > 0) await putUsable(live, writes, tolerate);
    const removals = Map.groupBy(await noted.note(fold.removals(all)), ({ record }) => keyOf(record));
    const held = pages.filter((page) => removals.get(keyOf(page))?.some(({ gone }) => gone.isMany) === true);
    for (const [key, some] of removals)
      if (!held.some((page) => keyOf(page) === key)) await remove(live, some, passed.positions);
    await passed.move(pages.filter((page) => !held.includes(page)));
    const last = new Map(held.map((page) => [keyOf(page), page]));
    for (const [key, page] of last) this.#removeBeside(page, removals.get(key) ?? []);
  }

  /** Removing many documents takes long: until it ends, this partition and its checkpoint wait; the others continue. */
  #removeBeside(page: Page, removals: readonly Removal[]): void {
    const { views, passed, removing } = this.#parts;
    const tail = this.#tail;
    tail?.pause(page.topic, page.partition);
    removing.begin(keyOf(page), async () => {
      await remove(views.live(), removals, passed.positions);
      await passed.move([page]);
      tail?.resume(page.topic, page.partition);
    });
  }
}
