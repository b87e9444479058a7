// The list of a workspace's API keys: from the guard's memory, so that it shows exactly the keys that are admitted.
import type { ViewDocument } from '../../../../view-store/view-store.ts';
import type { ApiKey } from '../../control/api-keys.ts';
import { expiredCursor } from '../../http/pages/cursor.ts';
import type { Listed, PageQuery, Place } from '../page-reader.ts';

export class ListedKeys implements Listed {
  /** Newest first; there are about a hundred at most. */
  readonly #keys: readonly ApiKey[];

  constructor(keys: readonly ApiKey[]) {
    this.#keys = keys.toSorted((a, b) => b.createdAt - a.createdAt || (a.keyId < b.keyId ? 1 : -1));
  }

  count(): Promise<number> {
    return Promise.resolve(this.#keys.length);
  }

  find({ order, limit, after }: PageQuery): Promise<readonly ViewDocument[]> {
    const keys = order === 'descending' ? this.#keys : this.#keys.toReversed();
    const from = after === undefined ? 0 : keys.findIndex(({ keyId }) => keyId === after.id) + 1;
    const page = keys.slice(from, from + limit);
    return Promise.resolve(page.map(({ keyId, createdAt }) => ({ id: keyId, version: createdAt, value: {} })));
  }

  /** Throws ApiProblem 400. */
  placeOf(keyId: string): Place {
    return { sort: this.key(keyId).createdAt, id: keyId };
  }

  /** Throws ApiProblem 400. */
  key(keyId: string): ApiKey {
    const key = this.#keys.find((one) => one.keyId === keyId);
    if (key === undefined) throw expiredCursor();
    return key;
  }
}
