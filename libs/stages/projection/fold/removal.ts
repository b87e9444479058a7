// Removes the documents that records delete from a build, and leaves as few tombstones as possible.
import type { RecordOn } from '../../../domain/messages-of.ts';
import type { ViewRemoval } from '../../../domain/views/view.ts';
import type { Positions } from '../../../log/index.ts';
import type { ViewBuild } from '../../../view-store/index.ts';

export interface Removal {
  readonly view: string;
  readonly gone: ViewRemoval;
  readonly record: RecordOn;
}

/**
 * `passed`: the build's positions when its documents were last written. Documents of earlier records can be rewritten
 * only by a late process that lost its partition, so their tombstones fade; `all`: nobody writes them again, so no
 * tombstone is left. Later records might be repeated, so their tombstones stay.
 */
export async function remove(
  build: Pick<ViewBuild, 'removeRange'>,
  removals: readonly Removal[],
  passed: Positions | 'all',
): Promise<void> {
  for (const { view, gone, record } of removals) {
    const { isMany = false, ...range } = gone;
    const { offset } = record;
    const settled = passed === 'all' ? offset : (passed[`${record.topic}/${record.partition}`] ?? 0);
    const below = Math.min(offset, settled);
    const leaves = passed === 'all' ? 'nothing' : 'fading';
    if (isMany && below > 0) await build.removeRange(view, { ...range, belowVersion: below, leaves });
    if (!isMany || below < offset)
      await build.removeRange(view, { ...range, belowVersion: offset, leaves: 'tombstones' });
  }
}

/** Leaves out ranges that a later range contains, so that deleting everything repeatedly costs one removal. */
export function withoutRepeated(removals: readonly Removal[]): readonly Removal[] {
  const last = new Map<string, Removal>();
  const left: Removal[] = [];
  for (const removal of removals.toReversed()) {
    const { view, gone, record } = removal;
    const key = JSON.stringify([view, gone.index, record.partition, ...gone.equals]);
    const later = last.get(key);
    if (later !== undefined && holds(later.gone, gone)) continue;
    last.set(key, removal);
    left.push(removal);
  }
  return left.toReversed();
}

const holds = (outer: ViewRemoval, inner: ViewRemoval): boolean =>
  (outer.from === undefined || (inner.from !== undefined && outer.from <= inner.from)) &&
  (outer.to === undefined || (inner.to !== undefined && outer.to >= inner.to));
