// A list whose pages end at a number of bytes. Reads a few records at a time, and none beyond the page.
import { Turn } from '../../../../primitives/event-loop/turn.ts';
import type { ViewDocument } from '../../../../view-store/view-store.ts';
import { PageBytes } from './page-bytes.ts';
import type { PagedList, PageQuery, ListPosition } from './paged-list.ts';

export interface BoundedOptions {
  /** Its `find` returns less than the limit only at the end of the list. */
  readonly list: PagedList;
  /** The place of a document in the list. */
  readonly positionOf: (document: ViewDocument) => ListPosition;
  /** The part of a document that a page keeps in memory after reading it. All of it by default. */
  readonly kept?: (document: ViewDocument) => ViewDocument;
}

export class BoundedList implements PagedList {
  readonly #options: BoundedOptions;
  #isTruncated = false;

  constructor(options: BoundedOptions) {
    this.#options = options;
  }

  get isTruncated(): boolean {
    return this.#isTruncated;
  }

  count(): Promise<number> {
    return this.#options.list.count();
  }

  /** Must be called only once. Can return less than the limit before the end of the list, but never nothing. */
  async find(query: PageQuery): Promise<readonly ViewDocument[]> {
    const { list, positionOf, kept: reduce = (document) => document } = this.#options;
    const page = new PageBytes();
    const found: ViewDocument[] = [];
    const turn = new Turn();
    for (let next = query; ;) {
      const limit = page.nextReadLimit(query.limit - found.length);
      const documents = await list.find({ ...next, limit });
      for (const document of documents) {
        if (turn.isOver) await turn.next();
        const reduced = reduce(document);
        page.add(reduced.value);
        found.push(reduced);
        if (found.length >= query.limit) return found;
        this.#isTruncated = page.isFull;
        if (page.isFull) return found;
      }
      const last = documents.at(-1);
      if (last === undefined || documents.length < limit) return found;
      next = { ...query, after: positionOf(last) };
    }
  }
}
