// A list from one partition of the log. It has a record only once the views show all records before it, so a client
// that continues from this record in either direction misses none.
import type { ViewBuild, ViewDocument } from '../../../../view-store/view-store.ts';
import type { PagedList, PageQuery, ListPosition } from './paged-list.ts';

/** After waiting this long, the list leaves out the part that might still have gaps. */
const settleMs = 500;
/** Reads that can find only unsettled records: each has twice as many as the one before. */
const readsMax = 10;
/** The fewest records of each read after the first. */
const readMin = 10;
/** The most records of one read. All reads together get past more than one batch of the views. */
const readMax = 100;

export interface SettledOptions {
  readonly build: ViewBuild;
  /** The `topic/partition` that feeds the whole list. */
  readonly position: string;
  readonly list: PagedList;
  readonly positionOf: (document: ViewDocument) => ListPosition;
  /** Resolves with the views' checkpoint of `position` once it has passed this version, or after `timeoutMs`. */
  readonly waitUntilPassed: (version: number, timeoutMs: number) => Promise<number>;
}

/** For one page, which can be read by several calls of `find`. */
export class SettledList implements PagedList {
  readonly #options: SettledOptions;
  #hasWaited = false;

  constructor(options: SettledOptions) {
    this.#options = options;
  }

  count(): Promise<number> {
    return this.#options.list.count();
  }

  async find(query: PageQuery): Promise<readonly ViewDocument[]> {
    const found = await this.#findIfSettled(query);
    return typeof found === 'number' ? this.#findSettledBefore(await this.#waitUntilPassed(found), query) : found;
  }

  /** Returns only the version of the newest record unless all are settled: none is in memory during the wait. */
  async #findIfSettled(query: PageQuery): Promise<readonly ViewDocument[] | number> {
    const end = await this.#checkpoint();
    const found = await this.#options.list.find(query);
    const newest = Math.max(-1, ...found.map(({ version }) => version));
    return newest < end ? found : newest;
  }

  /** Skips unsettled records: under load, newer ones have arrived meanwhile. */
  async #findSettledBefore(end: number, query: PageQuery): Promise<readonly ViewDocument[]> {
    const { list, positionOf } = this.#options;
    const settled: ViewDocument[] = [];
    let next = query;
    for (let reads = 0; reads < readsMax; reads++) {
      const found = await list.find(next);
      settled.push(...found.filter(({ version }) => version < end));
      const last = found.at(-1);
      if (last === undefined || found.length < next.limit || settled.length >= query.limit) break;
      next = {
        ...query,
        after: positionOf(last),
        limit: Math.max(query.limit, Math.min(2 * next.limit, readMax), readMin),
      };
    }
    return settled.slice(0, query.limit);
  }

  /** Waits only once per page: at a later call the page's first records are already in memory. */
  #waitUntilPassed(version: number): Promise<number> {
    if (this.#hasWaited) return this.#checkpoint();
    this.#hasWaited = true;
    return this.#options.waitUntilPassed(version, settleMs);
  }

  async #checkpoint(): Promise<number> {
    const { build, position } = this.#options;
    return (await build.checkpoint())[position] ?? 0;
  }
}
