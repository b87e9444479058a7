// Erases from the log what sources leave when they are deleted or changed: states, waiting events and unused bundles.
import type { Millis } from '../../../domain/message.ts';
import type { OutgoingOn } from '../../../log/index.ts';
import type { BundleUses } from '../bundles/bundle-uses.ts';
import type { TaskContext } from '../../loop/stage.ts';
import type { KnownSources } from '../components/known-sources.ts';
import type { PendingEmits } from '../pending/pending-emits.ts';
import { Departed } from './departed.ts';
import type { Recents } from '../publishing/recents.ts';
import type { SourceStates } from '../source/source-states.ts';

export interface LeavingOptions {
  readonly context: Pick<TaskContext, 'partition' | 'ready'>;
  readonly sources: Pick<KnownSources, 'get'>;
  readonly states: SourceStates;
  readonly bundleUses: BundleUses;
  readonly recents: Recents;
  /** Whether something of the source waits, runs or is not on the log yet. */
  readonly isBusy: (sourceId: string) => boolean;
  readonly pending: Pick<PendingEmits, 'gone' | 'settled' | 'takeGone'>;
}

export class Leaving {
  readonly #options: LeavingOptions;
  readonly #departed: Departed;
  #hasSettled = false;

  constructor(options: LeavingOptions) {
    this.#options = options;
    this.#departed = new Departed({ ...options, partition: options.context.partition });
  }

  /** Call when a definition of the source was read. */
  changed(sourceId: string): void {
    const { bundleUses, context } = this.#options;
    bundleUses.look(sourceId);
    if (bundleUses.isReady) context.ready();
  }

  /** Call when a trigger of the source has ended after the source was gone. */
  add(sourceId: string): void {
    this.#departed.add(sourceId);
  }

  gone(sourceId: string): void {
    const { pending, context } = this.#options;
    this.#departed.add(sourceId);
    pending.gone(sourceId);
    context.ready();
  }

  /** Call when all sources that existed at the start are known: any other source with records is gone. */
  settled(): void {
    const { states, bundleUses, sources, pending } = this.#options;
    if (!this.#hasSettled) {
      for (const id of states.ids) if (sources.get(id) === undefined && !states.isOfService(id)) this.#departed.add(id);
      for (const id of bundleUses.sources) bundleUses.look(id);
    }
    this.#hasSettled = true;
    pending.settled();
  }

  /** The next tombstones. Triggers below `mark` are never read again. */
  take(mark: number, now: Millis): readonly OutgoingOn<'state' | 'pending' | 'bundles'>[] {
    const { context, sources, bundleUses, pending } = this.#options;
    const unused = bundleUses.take(now, { partition: context.partition, definition: (id) => sources.get(id) });
    return [...pending.takeGone(now), ...this.#departed.take(mark, now), ...unused];
  }
}
