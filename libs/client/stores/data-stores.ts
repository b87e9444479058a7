// Calls for the data stores of a workspace and their entries (docs/api.md, "Data stores").
import type { Http } from '../http.ts';
import { segment } from '../http.ts';
import type { Page } from '../records.ts';
import type { Paging, Repeatable } from '../requests.ts';
import type { StoredData, StoredEntry } from './data-store-records.ts';

export class DataStores {
  readonly #http: Http;

  constructor(http: Http) {
    this.#http = http;
  }

  create(name: string, { idempotencyKey }: Repeatable = {}): Promise<StoredData> {
    return this.#one({ method: 'POST', path: 'data_stores', body: { name }, idempotencyKey });
  }

  list(query: Paging = {}): Promise<Page<StoredData>> {
    return this.#http.call({ method: 'GET', path: 'data_stores', query });
  }

  get(id: string): Promise<StoredData> {
    return this.#one({ method: 'GET', path: `data_stores/${segment(id)}` });
  }

  async delete(id: string): Promise<void> {
    await this.#http.call({ method: 'DELETE', path: `data_stores/${segment(id)}` });
  }

  /** Lists entries in the order in which their keys were first set. */
  entries(id: string, query: Omit<Paging, 'before'> = {}): Promise<Page<StoredEntry>> {
    return this.#http.call({ method: 'GET', path: `data_stores/${segment(id)}/records`, query });
  }

  entry(id: string, key: string): Promise<StoredEntry> {
    return this.#one({ method: 'GET', path: `data_stores/${segment(id)}/record`, query: { key } });
  }

  /** `ttl`: seconds until the key expires. */
  set(id: string, key: string, value: unknown, { ttl }: { readonly ttl?: number } = {}): Promise<StoredEntry> {
    const body = { key, value, ...(ttl === undefined ? {} : { ttl }) };
    return this.#one({ method: 'PUT', path: `data_stores/${segment(id)}/record`, body });
  }

  async deleteEntry(id: string, key: string): Promise<void> {
    await this.#http.call({ method: 'DELETE', path: `data_stores/${segment(id)}/record`, query: { key } });
  }

  async #one<T>(call: Parameters<Http['call']>[0]): Promise<T> {
    return (await this.#http.call<{ readonly data: T }>(call)).data;
  }
}
