// The list of a workspace's data stores, as their owner told it.
import type { StoreInfo } from '../../../../domain/store/question.ts';
import type { ViewDocument } from '../../../../view-store/view-store.ts';
import { expiredCursor } from '../../http/pages/cursor.ts';
import type { Listed, PageQuery, Place } from '../page-reader.ts';

export class ListedStores implements Listed {
  /** Newest first; there are a hundred at most. */
  readonly #stores: readonly StoreInfo[];

  constructor(stores: readonly StoreInfo[]) {
    this.#stores = stores.toSorted((a, b) => b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1));
  }

  count(): Promise<number> {
    return Promise.resolve(this.#stores.length);
  }

  find({ order, limit, after }: PageQuery): Promise<readonly ViewDocument[]> {
    const stores = order === 'descending' ? this.#stores : this.#stores.toReversed();
    const from = after === undefined ? 0 : stores.findIndex(({ id }) => id === after.id) + 1;
    const page = stores.slice(from, from + limit);
    return Promise.resolve(page.map(({ id, createdAt }) => ({ id, version: createdAt, value: {} })));
  }

  /** Throws ApiProblem 400. */
  placeOf(id: string): Place {
    return { sort: this.store(id).createdAt, id };
  }

  /** Throws ApiProblem 400. */
  store(id: string): StoreInfo {
    const store = this.#stores.find((one) => one.id === id);
    if (store === undefined) throw expiredCursor();
    return store;
  }
}
