// Removes the documents that records delete from a build, and leaves as few tombstones as possible.
import type { RecordOn } from '../../../domain/messages-of.ts';
import type { ViewRemoval } from '../../../domain/views/view.ts';
import type { Positions } from '../../../log/index.ts';
import type { ViewBuild } from '../../../view-store/index.ts';

export interface Removal {
  readonly view: string;
  readonly target: ViewRemoval;
  readonly record: RecordOn;
}

/**
 * `writtenTo`: the build's positions when documents were last written. Documents of earlier records can be rewritten
 * only by a late process that lost its partition, so their tombstones fade; `all`: nobody writes them again, so no
 * tombstone is left. Later records might be repeated, so their tombstones stay.
 */
export async function removeDocuments(
  build: Pick<ViewBuild, 'removeRange'>,
  removals: readonly Removal[],
  writtenTo: Positions | 'all',
): Promise<void> {
  for (const { view, target, record } of removals) {
    const { isMany = false, ...range } = target;
    const { offset } = record;
    const settledBelow = writtenTo === 'all' ? offset : (writtenTo[`${record.topic}/${record.partition}`] ?? 0);
    const below = Math.min(offset, settledBelow);
    const leaves = writtenTo === 'all' ? 'nothing' : 'fading';
    if (isMany && below > 0) await build.removeRange(view, { ...range, belowVersion: below, leaves });
    if (!isMany || below < offset)
      await build.removeRange(view, { ...range, belowVersion: offset, leaves: 'tombstones' });
  }
}

/** Leaves out ranges that a later range contains, so that deleting everything repeatedly costs one removal. */
export function withoutCovered(removals: readonly Removal[]): readonly Removal[] {
  const last = new Map<string, Removal>();
  const remaining: Removal[] = [];
  for (const removal of removals.toReversed()) {
    const { view, target, record } = removal;
    const key = JSON.stringify([view, target.index, record.partition, ...target.equals]);
    const later = last.get(key);
    if (later !== undefined && contains(later.target, target)) continue;
    last.set(key, removal);
    remaining.push(removal);
  }
  return remaining.toReversed();
}

const contains = (outer: ViewRemoval, inner: ViewRemoval): boolean =>
  (outer.from === undefined || (inner.from !== undefined && outer.from <= inner.from)) &&
  (outer.to === undefined || (inner.to !== undefined && outer.to >= inner.to));
