// Merges a list by `order` from several ranges of an index, each with the records of one state or kind.
import type { ViewBuild, ViewDocument, ViewGroup } from '../../../../view-store/view-store.ts';
import type { Listed, PageQuery, Place } from './listed.ts';

export interface Ranges {
  readonly view: string;
  /** One, or all between which records move: a record that moves after its place was read is returned, too. */
  readonly groups: readonly ViewGroup[];
  /** A range of orders, `to` exclusive; undefined: no bound. */
  readonly from: string | undefined;
  readonly to: string | undefined;
}

/** Greater than every order. */
export const orderEnd = '~';

export class MergedRanges implements Listed {
  readonly #build: ViewBuild;
  readonly #ranges: Ranges;
  readonly #from: string;
  readonly #to: string;

  constructor(build: ViewBuild, ranges: Ranges) {
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
    const begin = this.#begin(order, after);
    const [group, ...others] = this.#ranges.groups;
    if (group !== undefined && others.length === 0) return this.#findIn(group, { order, limit, after: begin });
    const found: ViewDocument[] = [];
    for (let place = begin; ;) {
      const wanted = limit - found.length;
      const places = await this.#places({ order, limit: wanted, after: place });
      found.push(...(await this.#read(places)));
      const last = places.at(-1);
      // Documents that were deleted since their places were read are replaced by the next ones.
      if (last === undefined || places.length < wanted || found.length >= limit) return found;
      place = last;
    }
  }

  /** A single range is read directly: all of its documents are on the page. */
  async #findIn(group: ViewGroup, query: Required<PageQuery>): Promise<readonly ViewDocument[]> {
    const found = await this.#build.find(this.#ranges.view, { ...group, ...query });
    return found.filter((document) => this.#holds(orderPlace(document)));
  }

  #holds({ sort }: Place): boolean {
    const order = String(sort);
    return order >= this.#from && order < this.#to;
  }

  /** The first places in all ranges, read at once: a record that moves between two can be in both, and is kept once. */
  async #places(query: Required<PageQuery>): Promise<readonly Place[]> {
    const { view, groups } = this.#ranges;
    const each = await Promise.all(groups.map((group) => this.#build.places(view, { ...group, ...query })));
    const sign = query.order === 'ascending' ? 1 : -1;
    const places = new Map(each.flat().map((place) => [place.id, place]));
    return [...places.values()]
      .filter((place) => this.#holds(place))
      .sort((a, b) => sign * compare(a, b))
      .slice(0, query.limit);
  }

  /** Reads only the documents of these places: most of the places found in each range are not on the page. */
  async #read(places: readonly Place[]): Promise<readonly ViewDocument[]> {
    const ids = places.map(({ id }) => id);
    const documents = await this.#build.getMany(this.#ranges.view, ids);
    return documents.filter((document) => document !== undefined);
  }

  /** The cursor, or the end of the range if the cursor is outside it. The empty id comes before every real one. */
  #begin(order: PageQuery['order'], after: Place | undefined): Place {
    const isNewestFirst = order === 'descending';
    const end = { sort: isNewestFirst ? this.#to : this.#from, id: '' };
    if (after === undefined) return end;
    const at = String(after.sort);
    const isWithin = isNewestFirst ? at < end.sort : at >= end.sort;
    return isWithin ? after : end;
  }
}

export const orderPlace = ({ id, value }: ViewDocument): Place => ({ sort: String(value['order']), id });

function compare(a: Place, b: Place): number {
  if (a.sort === b.sort) return a.id === b.id ? 0 : a.id < b.id ? -1 : 1;
  return a.sort < b.sort ? -1 : 1;
}
