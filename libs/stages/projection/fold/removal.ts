// Takes documents out of a build that records say are gone, and leaves as little behind as it may.
import type { StoredRecord } from '../../../domain/message.ts';
import type { ViewRemoval } from '../../../domain/views/view.ts';
import type { Positions } from '../../../log/index.ts';
import type { ViewBuild } from '../../../view-store/index.ts';

export interface Removal {
  readonly view: string;
  readonly gone: ViewRemoval;
  readonly record: StoredRecord;
}

/**
 * `passed`: what the build had passed when its documents were written last. Nothing writes what stands below that again, so
 * nothing need be left of it; what stands above it may be repeated, and is kept hidden.
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
    if (isMany && below > 0) await build.removeRange(view, { ...range, belowVersion: below, leaves: 'nothing' });
    if (!isMany || below < offset)
      await build.removeRange(view, { ...range, belowVersion: offset, leaves: 'tombstones' });
  }
}

/** Of ranges that a later one holds whole, only that one: who deletes everything again and again costs one removal. */
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
