// Merges a list by `order` from several ranges of an index, each with the records of one state or kind.
import type { ViewBuild, ViewDocument, ViewGroup } from '../../../../view-store/view-store.ts';
import type { PagedList, PageQuery, ListPosition } from './paged-list.ts';

export interface RangeOptions {
  readonly view: string;
  /** One, or all between which records move: a record that moves after its place was read is returned, too. */
  readonly groups: readonly ViewGroup[];
  /** A range of orders, `to` exclusive; undefined: no bound. */
  readonly from: string | undefined;
  readonly to: string | undefined;
}

/** Greater than every order. */
export const orderEnd = '~';

export class MergedRanges implements PagedList {
  readonly #build: ViewBuild;
  readonly #ranges: RangeOptions;
  readonly #from: string;
  readonly #to: string;

  constructor(build: ViewBuild, ranges: RangeOptions) {
    this.#build = build;
    this.#ranges = ranges;
    this.#from = ranges.from ?? '';
    this.#to = ranges.to ?? orderEnd;
  }

  async count(): Promise<number> {
    const { view, groups, from, to } = this.#ranges;
    const range = { ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) };
    const counts = await Promise.all(groups.map((group) => this.#build.count(view, { ...group, ...range })));
    return counts.reduce((sum, count) => sum + count, 0);
  }

  async find({ order, limit, after }: PageQuery): Promise<readonly ViewDocument[]> {
    const start = this.#startOf(order, after);
    const [group, ...others] = this.#ranges.groups;
    if (group !== undefined && others.length === 0) return this.#findIn(group, { order, limit, after: start });
    const found: ViewDocument[] = [];
    for (let position = start; ;) {
      const missing = limit - found.length;
      const positions = await this.#readPositions({ order, limit: missing, after: position });
      found.push(...(await this.#readDocuments(positions)));
      const last = positions.at(-1);
      // Documents that were deleted since their places were read are replaced by the next ones.
      if (last === undefined || positions.length < missing || found.length >= limit) return found;
      position = last;
    }
  }

  /** A single range is read directly: all of its documents are on the page. */
  async #findIn(group: ViewGroup, query: Required<PageQuery>): Promise<readonly ViewDocument[]> {
    const found = await this.#build.find(this.#ranges.view, { ...group, ...query });
    return found.filter((document) => this.#isInRange(orderPosition(document)));
  }

  #isInRange({ sort }: ListPosition): boolean {
    const order = String(sort);
    return order >= this.#from && order < this.#to;
  }

  /** The first places in all ranges, read at once: a record that moves between two can be in both, and is kept once. */
  async #readPositions(query: Required<PageQuery>): Promise<readonly ListPosition[]> {
    const { view, groups } = this.#ranges;
    const positionsByGroup = await Promise.all(
      groups.map((group) => this.#build.findKeys(view, { ...group, ...query })),
    );
    const sign = query.order === 'ascending' ? 1 : -1;
    const positions = new Map(positionsByGroup.flat().map((position) => [position.id, position]));
    return [...positions.values()]
      .filter((position) => this.#isInRange(position))
      .sort((a, b) => sign * compare(a, b))
      .slice(0, query.limit);
  }

  /** Reads only the documents of these places: most of the places found in each range are not on the page. */
  async #readDocuments(positions: readonly ListPosition[]): Promise<readonly ViewDocument[]> {
    const ids = positions.map(({ id }) => id);
    const documents = await this.#build.getMany(this.#ranges.view, ids);
    return documents.filter((document) => document !== undefined);
  }

  /** The cursor, or the end of the range if the cursor is outside it. The empty id comes before every real one. */
  #startOf(order: PageQuery['order'], after: ListPosition | undefined): ListPosition {
    const isNewestFirst = order === 'descending';
    const end = { sort: isNewestFirst ? this.#to : this.#from, id: '' };
    if (after === undefined) return end;
    const cursorOrder = String(after.sort);
    const isWithin = isNewestFirst ? cursorOrder < end.sort : cursorOrder >= end.sort;
    return isWithin ? after : end;
  }
}

export const orderPosition = ({ id, value }: ViewDocument): ListPosition => ({ sort: String(value['order']), id });

function compare(a: ListPosition, b: ListPosition): number {
  if (a.sort === b.sort) return a.id === b.id ? 0 : a.id < b.id ? -1 : 1;
  return a.sort < b.sort ? -1 : 1;
}
