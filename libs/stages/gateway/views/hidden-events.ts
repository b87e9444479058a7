// Knows which events of a source were deleted while the views still hold them: removing many takes a while.
import type { DeletionView, EventView } from '../../../domain/views/index.ts';
import type { ViewCount, ViewDocument, ViewQuery } from '../../../view-store/view-store.ts';

type List = Pick<ViewCount, 'index' | 'equals'>;
type After = NonNullable<ViewQuery['after']>;

/** A range of a list's order; absent: no bound. */
export interface Gap {
  readonly from?: string;
  readonly to?: string;
}

const isServiceChannel = (channel: string): boolean => channel.startsWith('$');

export class HiddenEvents {
  readonly #deletions: readonly DeletionView[];

  /** `deletions`: those of one source. A range that ends before it begins deletes nothing. */
  constructor(deletions: readonly DeletionView[]) {
    this.#deletions = deletions.filter(({ from, to }) => from < to);
  }

  get isEmpty(): boolean {
    return this.#deletions.length === 0;
  }

  hides({ value, version }: ViewDocument): boolean {
    const { channel, order } = value as EventView;
    return this.#deletions.some(
      (deletion) =>
        (deletion.channel === null ? !isServiceChannel(channel) : channel === deletion.channel) &&
        order >= deletion.from &&
        order < deletion.to &&
        version < deletion.place,
    );
  }

  /** The place after a hidden event at which a list continues, past those hidden with it; `end`: no further events. */
  skipHidden(
    { order, after }: { readonly order: ViewQuery['order']; readonly after: After },
    list: List,
  ): After | 'end' {
    const sort = String(after.sort);
    const ranges = this.#fullDeletionsOf(list).filter(({ from, to }) => sort >= from && sort < to);
    if (ranges.length === 0) return after;
    if (order === 'ascending')
      return {
        sort:
          ranges
            .map(({ to }) => to)
            .sort()
            .at(-1) ?? sort,
        id: '',
      };
    const from = ranges.map((range) => range.from).sort()[0] ?? sort;
    return from === '' ? 'end' : { sort: from, id: '' };
  }

  /** The parts of a list between deletions that remove all of it in their range; undefined: no such deletions. */
  gapsIn({ from = '', to, ...list }: ViewCount): readonly Gap[] | undefined {
    const ranges = this.#fullDeletionsOf(list).sort((a, b) => (a.from < b.from ? -1 : 1));
    if (ranges.length === 0) return undefined;
    const gaps: Gap[] = [];
    const end = to === undefined ? undefined : String(to);
    let begin = String(from);
    for (const range of ranges) {
      const until = end !== undefined && end < range.from ? end : range.from;
      if (begin < until) gaps.push({ from: begin, to: until });
      if (range.to > begin) begin = range.to;
    }
    if (end === undefined || begin < end) gaps.push({ from: begin, ...(end === undefined ? {} : { to: end }) });
    return gaps;
  }

  /** What deletions of single channels remove from a list of all channels, within the parts of `gapsIn`; all once. */
  hiddenByChannel({ from = '', to, ...list }: ViewCount): readonly ViewCount[] {
    if (list.index !== 'byEmitter') return [];
    const end = to === undefined ? {} : { to: String(to) };
    const gaps = this.gapsIn({ ...list, from, ...end }) ?? [{ from: String(from), ...end }];
    const channelDeletions = this.#deletions.filter(({ channel }) => channel !== null && !isServiceChannel(channel));
    return [...Map.groupBy(channelDeletions, ({ channel }) => String(channel))].flatMap(([channel, deletions]) => {
      const parts = mergeRanges(deletions).flatMap((range) => gaps.flatMap((gap) => intersect(range, gap) ?? []));
      return parts.map((part) => ({ index: 'byChannel', equals: [...list.equals, channel], ...part }));
    });
  }

  /** Deletions that remove all events of the list in their range. */
  #fullDeletionsOf({ index, equals }: List): DeletionView[] {
    const channel = index === 'byChannel' ? String(equals[1]) : undefined;
    return this.#deletions.filter((deletion) => {
      if (channel === undefined) return deletion.channel === null;
      return deletion.channel === null ? !isServiceChannel(channel) : deletion.channel === channel;
    });
  }
}

interface Range {
  readonly from: string;
  readonly to: string;
}

/** The ranges in order, with overlapping ones merged. */
function mergeRanges(ranges: readonly Range[]): readonly Range[] {
  const merged: Range[] = [];
  for (const { from, to } of ranges.toSorted((a, b) => (a.from < b.from ? -1 : 1))) {
    const last = merged.at(-1);
    if (last === undefined || from > last.to) merged.push({ from, to });
    else if (to > last.to) merged[merged.length - 1] = { from: last.from, to };
  }
  return merged;
}

function intersect(range: Range, gap: Gap): Range | undefined {
  const from = gap.from !== undefined && gap.from > range.from ? gap.from : range.from;
  const to = gap.to !== undefined && gap.to < range.to ? gap.to : range.to;
  return from < to ? { from, to } : undefined;
}
