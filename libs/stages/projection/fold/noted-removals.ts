// Removes many documents after the checkpoint: until they are gone, a note in the views hides them, and survives a
// crash.
import { largeRemoval, notedViews, removalsMax, removalsView } from '../../../domain/views/index.ts';
import type { RemovalView } from '../../../domain/views/index.ts';
import type { ViewStore } from '../../../view-store/index.ts';
import type { OwnedShares } from '../shares.ts';
import type { Removal } from './removal.ts';
import type { Removing } from './removing.ts';

/** The limit of one read of notes. All notes together are fewer: see `removalsMax`. */
const readAtOnce = 1_000;

export class NotedRemovals {
  readonly #views: ViewStore;
  readonly #shares: Pick<OwnedShares, 'current'>;
  readonly #removing: Removing;
  readonly #stopped: AbortSignal;
  #isRunning = false;
  #isAskedAgain = false;

  constructor(views: ViewStore, shares: Pick<OwnedShares, 'current'>, removing: Removing, stopped: AbortSignal) {
    this.#views = views;
    this.#shares = shares;
    this.#removing = removing;
    this.#stopped = stopped;
  }

  /**
   * Notes the large removals and begins them; returns the others. Their records might be repeated after a crash:
   * then what their batch wrote is written again, and removed by the same record.
   */
  async note(removals: readonly Removal[]): Promise<readonly Removal[]> {
    const others: Removal[] = [];
    for (const removal of removals) if (!(await this.#noted(removal))) others.push(removal);
    if (others.length < removals.length) this.resume();
    return others;
  }

  /** Carries out every note of the share, one after the other, while other removals run. */
  resume(): void {
    this.#isAskedAgain = true;
    if (this.#isRunning) return;
    this.#isRunning = true;
    this.#removing.begin('noted', () => this.#run());
  }

  async #noted({ view, gone, record }: Removal): Promise<boolean> {
    if (!notedViews.has(view)) return false;
    const { index, equals } = gone;
    const live = this.#views.live();
    if ((await live.count(view, { index, equals })) <= largeRemoval) return false;
    if ((await live.count(removalsView, { index: 'byView', equals: [view] })) >= removalsMax) return false;
    const { topic, partition, offset } = record;
    const id = `${view}/${topic}/${partition}/${offset}`;
    const value: RemovalView = { note: id, view, index, equals, place: offset, partition };
    await live.put([{ view: removalsView, id, version: offset, value }]);
    return true;
  }

  async #run(): Promise<void> {
    try {
      while (this.#isAskedAgain) {
        this.#isAskedAgain = false;
        for (const note of await this.#ofShare()) await this.#carryOut(note);
      }
    } finally {
      this.#isRunning = false;
    }
  }

  async #carryOut({ note, view, index, equals, place }: RemovalView): Promise<void> {
    if (this.#stopped.aborted) return;
    const live = this.#views.live();
    await live.removeRange(view, { index, equals, belowVersion: place, leaves: 'fading' });
    const own = { index: 'byNote', equals: [note], belowVersion: place + 1 };
    await live.removeRange(removalsView, { ...own, leaves: 'fading' });
  }

  async #ofShare(): Promise<readonly RemovalView[]> {
    const oldest = { index: 'byPlace', equals: [], order: 'ascending', limit: readAtOnce } as const;
    const found = await this.#views.live().find(removalsView, oldest);
    return found
      .map(({ value }) => value as RemovalView)
      .filter(({ partition }) => this.#shares.current.has(partition));
  }
}
