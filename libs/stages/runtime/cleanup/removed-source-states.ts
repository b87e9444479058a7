// Deletes the `state` records of sources that are gone, once none of their triggers can be read again.
import { derivedId } from '../../../domain/id.ts';
import type { Millis } from '../../../domain/message.ts';
import { chainFrom } from '../../../domain/trace/chain.ts';
import type { OutgoingOn } from '../../../log/index.ts';
import type { SourceRecentIds } from '../publishing/source-recent-ids.ts';
import type { SourceStates } from '../source/source-states.ts';

/** The most sources checked per append: their tombstones take some 80 KiB. */
const checkedPerAppend = 256;

export interface RemovedSourceStatesOptions {
  readonly partition: number;
  readonly states: SourceStates;
  readonly recents: SourceRecentIds;
  /** Whether something of the source waits, runs or is not on the log yet. */
  readonly isBusy: (sourceId: string) => boolean;
}

export class RemovedSourceStates {
  readonly #options: RemovedSourceStatesOptions;
  /** Sources that are gone and have a state, the one checked longest ago first. */
  readonly #waiting = new Set<string>();

  constructor(options: RemovedSourceStatesOptions) {
    this.#options = options;
  }

  /** Call when the source was deleted, or its deploy was refused. */
  add(sourceId: string): void {
    if (this.#options.states.has(sourceId)) this.#waiting.add(sourceId);
  }

  /**
   * Tombstones for the next few. Triggers below `mark` are never read again. Until the mark has passed all triggers of
   * a source, its state is needed, because it says which of them are finished.
   */
  takeTombstones(mark: number, now: Millis): readonly OutgoingOn<'state'>[] {
    const { partition, states, recents, isBusy } = this.#options;
    const records: OutgoingOn<'state'>[] = [];
    for (const sourceId of this.#next()) {
      this.#waiting.delete(sourceId);
      const { finishedTo } = states.of({ key: sourceId, workspace: '' });
      if (isBusy(sourceId) || finishedTo > mark) this.#waiting.add(sourceId);
      else if (states.forget(sourceId))
        for (const key of [...recents.forget(sourceId), sourceId]) records.push(tombstone(partition, key, now));
      if (records.length >= checkedPerAppend) break;
    }
    return records;
  }

  #next(): readonly string[] {
    const next: string[] = [];
    for (const sourceId of this.#waiting) if (next.push(sourceId) >= checkedPerAppend) break;
    return next;
  }
}

function tombstone(partition: number, key: string, at: Millis): OutgoingOn<'state'> {
  const id = derivedId('rec', 'departed', key);
  const envelope = { version: 1, key, at, workspace: '', ...chainFrom(id, 'runtime') };
  return { topic: 'state', partition, record: { id, type: 'SourceStateSaved', ...envelope, data: undefined } };
}
