// A list that several ranges of an index make together, by `order`: each of them has the records of one state or kind.
import type { ViewBuild, ViewDocument, ViewGroup } from '../../../../view-store/view-store.ts';
import type { Listed, PageQuery, Place } from './listed.ts';

export interface Ranges {
  readonly view: string;
  readonly groups: readonly ViewGroup[];
  /** Orders, the end exclusive; undefined: no bound. */
  readonly from: string | undefined;
  readonly to: string | undefined;
}

/** Greater than every order. */
export const orderEnd = '~';

type Stretch = { readonly documents: readonly ViewDocument[]; readonly isOver: boolean };

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
    // Of several ranges a part is read and not given, so they are read in two steps.
    const atOnce = this.#ranges.groups.length === 1 ? limit : Math.ceil(limit / 2);
    const found: ViewDocument[] = [];
    for (let place = this.#begin(order, after); ;) {
      const { documents, isOver } = await this.#stretch({ order, limit: atOnce, after: place });
      found.push(...documents);
      const last = documents.at(-1);
      if (isOver || last === undefined || found.length >= limit) return found.slice(0, limit);
      place = orderPlace(last);
    }
  }

  /** What is in all ranges, as far as each of them was read: all at once, since records go from one to another. */
  async #stretch(query: Required<PageQuery>): Promise<Stretch> {
    const { view, groups } = this.#ranges;
    const each = await Promise.all(groups.map((group) => this.#build.find(view, { ...group, ...query })));
    const sign = query.order === 'ascending' ? 1 : -1;
    const inOrder = (a: ViewDocument, b: ViewDocument): number => sign * compare(a, b);
    const [end] = each.flatMap((some) => (some.length < query.limit ? [] : some.slice(-1))).sort(inOrder);
    const read = each.flat().filter((one) => end === undefined || inOrder(one, end) <= 0);
    const documents = read.filter((one) => orderOf(one) >= this.#from && orderOf(one) < this.#to).sort(inOrder);
    return { documents, isOver: end === undefined || documents.length < read.length };
  }

  /** The nearer of the cursor and the end of the range. The empty id comes before every real one. */
  #begin(order: PageQuery['order'], after: Place | undefined): Place {
    const isNewestFirst = order === 'descending';
    const end = { sort: isNewestFirst ? this.#to : this.#from, id: '' };
    if (after === undefined) return end;
    const at = String(after.sort);
    const isWithin = isNewestFirst ? at < end.sort : at >= end.sort;
    return isWithin ? after : end;
  }
}

const orderOf = ({ value }: ViewDocument): string => String(value['order']);

export const orderPlace = (document: ViewDocument): Place => ({ sort: orderOf(document), id: document.id });

function compare(a: ViewDocument, b: ViewDocument): number {
  const [first, second] = [orderOf(a), orderOf(b)];
  if (first === second) return a.id === b.id ? 0 : a.id < b.id ? -1 : 1;
  return first < second ? -1 : 1;
}
