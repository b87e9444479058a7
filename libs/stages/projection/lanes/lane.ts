// Follows the inputs of one lane together, in batches, one after the other.
import type { TopicName } from '../../../domain/flow.ts';
import type { Page, PageBounds, Positions } from '../../../log/index.ts';
import type { ViewStore } from '../../../view-store/index.ts';
import type { CheckedLog } from '../../loop/reading/checked-log.ts';
import type { CheckedTail } from '../../loop/reading/checked-tail.ts';
import type { Tolerate } from '../../loop/reading/alerting-reporter.ts';
import type { CheckedPage, NewerRecordError } from '../../loop/reading/unusable.ts';
import { batchesOf } from '../fold/batches.ts';
import type { Fold } from '../fold/fold.ts';
import { delayNextTurn, waitForEventsSent } from '../fold/turn-delays.ts';
import type { NotedRemovals } from '../fold/noted-removals.ts';
import { putUsable } from '../fold/put-usable.ts';
import { removeDocuments, type Removal } from '../fold/removal.ts';
import type { BackgroundRemovals } from '../fold/background-removals.ts';
import { inputsFrom, keyOf, type Share } from '../inputs.ts';
import type { LivePositions } from '../positions/live-positions.ts';

/** The most that one read of one partition takes. */
const bounds: PageBounds = { recordsMax: 500, bytesMax: 1024 * 1024 };
/** How long an idle turn lasts; health checks every few seconds. */
export const idleTurnMs = 1_000;

export interface LaneParts {
  readonly log: CheckedLog;
  readonly views: ViewStore;
  readonly fold: Fold;
  readonly tolerate: Tolerate;
  readonly livePositions: LivePositions;
  readonly backgroundRemovals: BackgroundRemovals;
  readonly notedRemovals: NotedRemovals;
  /** Called after each step. */
  readonly onProgress: () => void;
}

/** A part of the log to follow, from the views' checkpoint. */
export interface Route {
  readonly share: Share;
  readonly positions: Positions;
  /** Whether to continue, called before each step. */
  readonly shouldContinue: () => boolean;
}

export class Lane {
  readonly #topics: ReadonlySet<TopicName>;
  readonly #parts: LaneParts;
  #tail: CheckedTail | undefined;
  #lastWork: Promise<unknown> = Promise.resolve();

  constructor(topics: readonly TopicName[], parts: LaneParts) {
    this.#topics = new Set(topics);
    this.#parts = parts;
  }

  /** The first record that is newer than this program. */
  get newer(): NewerRecordError | undefined {
    return this.#tail?.newer;
  }

  /** Projects until `shouldContinue` returns false or the lane is closed. */
  async follow({ share, positions, shouldContinue }: Route): Promise<void> {
    const { log, livePositions, backgroundRemovals, onProgress } = this.#parts;
    const inputs = inputsFrom(log, positions, share).filter(({ topic }) => this.#topics.has(topic));
    const tail = log.tail(inputs, bounds);
    this.#tail = tail;
    try {
      while (shouldContinue()) {
        const startedAt = performance.now();
        const pages = await tail.next(idleTurnMs);
        if (pages.length === 0) await livePositions.verifyStored();
        await waitForEventsSent(pages, bounds);
        await this.#projectAll(pages, shouldContinue);
        backgroundRemovals.throwFailure();
        onProgress();
        if (shouldContinue()) await delayNextTurn(pages, performance.now() - startedAt, bounds);
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
    const result = this.#lastWork.then(work);
    this.#lastWork = result.catch(() => undefined);
    return result;
  }

  async #projectAll(pages: readonly CheckedPage[], shouldContinue: () => boolean): Promise<void> {
    for (const batch of batchesOf(pages)) {
      if (!shouldContinue()) return;
      await this.exclusive(() => this.#projectBatch(batch));
      this.#parts.onProgress();
    }
  }

  /** Documents first, then the checkpoint: after a crash in between, repeating the records changes nothing. */
  async #projectBatch(pages: readonly CheckedPage[]): Promise<void> {
    const { views, fold, tolerate, livePositions, backgroundRemovals, notedRemovals } = this.#parts;
    await backgroundRemovals.waitUntilDone(pages.map(keyOf));
    const live = views.live();
    const all = pages.flatMap(({ records }) => records);
    const writes = await fold.writes(live, all);
    if (writes.length > 0) await putUsable(live, writes, tolerate);
    const removals = Map.groupBy(await notedRemovals.note(fold.removals(all)), ({ record }) => keyOf(record));
    const deferred = pages.filter((page) => removals.get(keyOf(page))?.some(({ target }) => target.isMany) === true);
    for (const [key, pageRemovals] of removals)
      if (!deferred.some((page) => keyOf(page) === key))
        await removeDocuments(live, pageRemovals, livePositions.positions);
    await livePositions.advance(pages.filter((page) => !deferred.includes(page)));
    const last = new Map(deferred.map((page) => [keyOf(page), page]));
    for (const [key, page] of last) this.#removeInBackground(page, removals.get(key) ?? []);
  }

  /** Removing many documents takes long: until it ends, this partition and its checkpoint wait; the others continue. */
  #removeInBackground(page: Page, removals: readonly Removal[]): void {
    const { views, livePositions, backgroundRemovals } = this.#parts;
    const tail = this.#tail;
    tail?.pause(page.topic, page.partition);
    backgroundRemovals.start(keyOf(page), async () => {
      await removeDocuments(views.live(), removals, livePositions.positions);
      await livePositions.advance([page]);
      tail?.resume(page.topic, page.partition);
    });
  }
}
