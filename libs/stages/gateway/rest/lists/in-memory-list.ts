// A list of at most a hundred records, wholly in memory, newest first.
import type { ViewDocument } from '../../../../view-store/view-store.ts';
import { expiredCursor } from '../../http/pages/cursor.ts';
import type { PagedList, PageQuery, ListPosition } from './paged-list.ts';

interface Dated {
  readonly createdAt: number;
}

export class InMemoryList<T extends Dated> implements PagedList {
  readonly #records: readonly T[];
  readonly #idOf: (record: T) => string;

  constructor(records: readonly T[], idOf: (record: T) => string) {
    this.#records = records.toSorted((a, b) => b.createdAt - a.createdAt || (idOf(a) < idOf(b) ? 1 : -1));
    this.#idOf = idOf;
  }

  count(): Promise<number> {
    return Promise.resolve(this.#records.length);
  }

  find({ order, limit, after }: PageQuery): Promise<readonly ViewDocument[]> {
    const records = order === 'descending' ? this.#records : this.#records.toReversed();
    const from = after === undefined ? 0 : records.findIndex((record) => this.#idOf(record) === after.id) + 1;
    const page = records.slice(from, from + limit);
    return Promise.resolve(page.map((record) => ({ id: this.#idOf(record), version: record.createdAt, value: {} })));
  }

  /** Throws ApiProblem 400. */
  positionOf(id: string): ListPosition {
    return { sort: this.record(id).createdAt, id };
  }

  /** Throws ApiProblem 400. */
  record(id: string): T {
    const found = this.#records.find((one) => this.#idOf(one) === id);
    if (found === undefined) throw expiredCursor();
    return found;
  }
}
