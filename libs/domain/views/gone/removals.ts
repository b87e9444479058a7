// View `removals`: documents of other views that readers leave out and that the projection still takes away.
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

/** Up to so many documents are removed at once, in some 50 ms; more are noted. */
export const largeRemoval = 500;
/** Readers look at all notes of a view each time. With so many under way, the next removal is waited for. */
export const removalsMax = 100;
