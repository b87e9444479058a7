// Removes many documents after the checkpoint: until they are gone, a note in the views hides them, and survives a
// crash.
import { immediateRemovalMax, notedViews, removalsMax, removalsView } from '../../../domain/views/index.ts';
import type { RemovalView } from '../../../domain/views/index.ts';
import type { ViewStore } from '../../../view-store/index.ts';
import type { OwnedShares } from '../shares.ts';
import type { Removal } from './removal.ts';
import type { BackgroundRemovals } from './background-removals.ts';

/** The limit of one read of notes. All notes together are fewer: see `removalsMax`. */
const readAtOnce = 1_000;

export class NotedRemovals {
  readonly #views: ViewStore;
  readonly #shares: Pick<OwnedShares, 'current'>;
  readonly #background: BackgroundRemovals;
  readonly #stopSignal: AbortSignal;
  #isRunning = false;
  #isRequested = false;

  constructor(
    views: ViewStore,
    shares: Pick<OwnedShares, 'current'>,
    background: BackgroundRemovals,
    stopSignal: AbortSignal,
  ) {
    this.#views = views;
    this.#shares = shares;
    this.#background = background;
    this.#stopSignal = stopSignal;
  }

  /**
   * Notes the large removals and begins them; returns the others. Their records might be repeated after a crash:
   * then what their batch wrote is written again, and removed by the same record.
   */
  async note(removals: readonly Removal[]): Promise<readonly Removal[]> {
    const others: Removal[] = [];
    for (const removal of removals) if (!(await this.#tryNote(removal))) others.push(removal);
    if (others.length < removals.length) this.resume();
    return others;
  }

  /** Carries out every note of the share, one after the other, while other removals run. */
  resume(): void {
    this.#isRequested = true;
    if (this.#isRunning) return;
    this.#isRunning = true;
    this.#background.start('noted', () => this.#run());
  }

  async #tryNote({ view, target, record }: Removal): Promise<boolean> {
    if (!notedViews.has(view)) return false;
    const { index, equals } = target;
    const live = this.#views.live();
    if ((await live.count(view, { index, equals })) <= immediateRemovalMax) return false;
    if ((await live.count(removalsView, { index: 'byView', equals: [view] })) >= removalsMax) return false;
    const { topic, partition, offset } = record;
    const id = `${view}/${topic}/${partition}/${offset}`;
    const value: RemovalView = { note: id, view, index, equals, place: offset, partition };
    await live.put([{ view: removalsView, id, version: offset, value }]);
    return true;
  }

  async #run(): Promise<void> {
    try {
      while (this.#isRequested) {
        this.#isRequested = false;
        for (const note of await this.#notesOfShare()) await this.#carryOut(note);
      }
    } finally {
      this.#isRunning = false;
    }
  }

  async #carryOut({ note, view, index, equals, place }: RemovalView): Promise<void> {
    if (this.#stopSignal.aborted) return;
    const live = this.#views.live();
    await live.removeRange(view, { index, equals, belowVersion: place, leaves: 'fading' });
    const own = { index: 'byNote', equals: [note], belowVersion: place + 1 };
    await live.removeRange(removalsView, { ...own, leaves: 'fading' });
  }

  async #notesOfShare(): Promise<readonly RemovalView[]> {
    const oldest = { index: 'byPlace', equals: [], order: 'ascending', limit: readAtOnce } as const;
    const found = await this.#views.live().find(removalsView, oldest);
    return found
      .map(({ value }) => value as RemovalView)
      .filter(({ partition }) => this.#shares.current.has(partition));
  }
}
