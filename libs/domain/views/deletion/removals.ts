// View `removals`: notes of documents in other views that the projection has still to delete; readers leave them out.
import type { ViewDefinition } from '../view.ts';

export type RemovalView = {
  /** The note's own id. */
  readonly note: string;
  readonly view: string;
  readonly index: string;
  /** All documents that `index` finds by these values are gone: none is made again by later records. */
  readonly equals: readonly string[];
  /** The record's offset in its partition: documents of this version or a higher one stay. */
  readonly place: number;
  readonly partition: number;
};

export const removalsView = 'removals';

/** The views about which notes are made: they lose whole groups at once, and each reader of theirs looks at the notes. */
export const notedViews: ReadonlySet<string> = new Set(['subscriptions']);

/** Not fed by a topic: the projection writes a note where it would have to wait, and removes it when it is done. */
export const removalsDefinition: ViewDefinition = {
  name: removalsView,
  indexes: { byView: ['view', 'place'], byNote: ['note', 'place'], byPlace: ['place'] },
};

/** The most documents that are removed at once, in some 50 ms; for more, a note is written. */
export const immediateRemovalMax = 500;
/** The most notes at a time, because readers look at all of a view's notes: beyond it, a removal waits. */
export const removalsMax = 100;
