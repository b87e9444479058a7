// Erases from the log what sources leave when they are deleted or changed: states, waiting events and unused bundles.
import type { Millis } from '../../../domain/message.ts';
import type { OutgoingOn } from '../../../log/index.ts';
import type { BundleUses } from '../bundles/bundle-uses.ts';
import type { TaskContext } from '../../loop/stage.ts';
import type { KnownSources } from '../components/known-sources.ts';
import type { PendingEmits } from '../pending/pending-emits.ts';
import { RemovedSourceStates } from './removed-source-states.ts';
import type { SourceRecentIds } from '../publishing/source-recent-ids.ts';
import type { SourceStates } from '../source/source-states.ts';

export interface SourceCleanupOptions {
  readonly context: Pick<TaskContext, 'partition' | 'ready'>;
  readonly sources: Pick<KnownSources, 'get'>;
  readonly states: SourceStates;
  readonly bundleUses: BundleUses;
  readonly recents: SourceRecentIds;
  /** Whether something of the source waits, runs or is not on the log yet. */
  readonly isBusy: (sourceId: string) => boolean;
  readonly pending: Pick<PendingEmits, 'markRemoved' | 'resume' | 'takeTombstones'>;
}

export class SourceCleanup {
  readonly #options: SourceCleanupOptions;
  readonly #removedStates: RemovedSourceStates;
  #hasCaughtUp = false;

  constructor(options: SourceCleanupOptions) {
    this.#options = options;
    this.#removedStates = new RemovedSourceStates({ ...options, partition: options.context.partition });
  }

  /** Call when a definition of the source was read. */
  handleChanged(sourceId: string): void {
    const { bundleUses, context } = this.#options;
    bundleUses.scheduleCheck(sourceId);
    if (bundleUses.isReady) context.ready();
  }

  /** Call when a trigger of the source has ended after the source was gone. */
  handleLateEnd(sourceId: string): void {
    this.#removedStates.add(sourceId);
  }

  handleRemoved(sourceId: string): void {
    const { pending, context } = this.#options;
    this.#removedStates.add(sourceId);
    pending.markRemoved(sourceId);
    context.ready();
  }

  /** Call when all sources that existed at the start are known: any other source with records is gone. */
  handleCaughtUp(): void {
    const { states, bundleUses, sources, pending } = this.#options;
    if (!this.#hasCaughtUp) {
      for (const id of states.ids)
        if (sources.get(id) === undefined && !states.isServiceKey(id)) this.#removedStates.add(id);
      for (const id of bundleUses.sources) bundleUses.scheduleCheck(id);
    }
    this.#hasCaughtUp = true;
    pending.resume();
  }

  /** The next tombstones. Triggers below `mark` are never read again. */
  takeTombstones(mark: number, now: Millis): readonly OutgoingOn<'state' | 'pending' | 'bundles'>[] {
    const { context, sources, bundleUses, pending } = this.#options;
    const unused = bundleUses.takeTombstones(now, {
      partition: context.partition,
      definition: (id) => sources.get(id),
    });
    return [...pending.takeTombstones(now), ...this.#removedStates.takeTombstones(mark, now), ...unused];
  }
}
