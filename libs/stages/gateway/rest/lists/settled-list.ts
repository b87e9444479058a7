// A list that one partition of the log feeds. It shows a record only once all records before it are shown, so a client
// that pages on from the record, in either direction, misses none.
import type { ViewBuild, ViewDocument } from '../../../../view-store/view-store.ts';
import type { Listed, PageQuery, Place } from './listed.ts';

/** After this time the list leaves out the part that may still have gaps. */
const settleMs = 500;
/** Reads that may give nothing but records that are not settled yet: each is twice as long as the one before. */
const readsMax = 10;
/** Records of each read but the first, at least. */
const readMin = 10;
/** Records of one read at most. All reads together pass over more than one batch of the views. */
const readMax = 100;

export interface SettledOptions {
  readonly build: ViewBuild;
  /** The `topic/partition` that feeds the whole list. */
  readonly position: string;
  readonly listed: Listed;
  readonly placeOf: (document: ViewDocument) => Place;
  /** The views' checkpoint of `position` once it has passed the record of this version, or after `timeoutMs`. */
  readonly passed: (version: number, timeoutMs: number) => Promise<number>;
}

/** For one page, of which `find` may give a part at a time. */
export class SettledList implements Listed {
  readonly #options: SettledOptions;
  #hasWaited = false;

  constructor(options: SettledOptions) {
    this.#options = options;
  }

  count(): Promise<number> {
    return this.#options.listed.count();
  }

  async find(query: PageQuery): Promise<readonly ViewDocument[]> {
    const found = await this.#unlessUnsettled(query);
    return typeof found === 'number' ? this.#settledBefore(await this.#passed(found), query) : found;
  }

  /** If they are not all settled, only the version of the newest, so that none is in memory during the wait. */
  async #unlessUnsettled(query: PageQuery): Promise<readonly ViewDocument[] | number> {
    const end = await this.#end();
    const found = await this.#options.listed.find(query);
    const newest = Math.max(-1, ...found.map(({ version }) => version));
    return newest < end ? found : newest;
  }

  /** Under load, newer records have come meanwhile that are not settled yet. */
  async #settledBefore(end: number, query: PageQuery): Promise<readonly ViewDocument[]> {
    const { listed, placeOf } = this.#options;
    const settled: ViewDocument[] = [];
    let next = query;
    for (let reads = 0; reads < readsMax; reads++) {
      const found = await listed.find(next);
      settled.push(...found.filter(({ version }) => version < end));
      const last = found.at(-1);
      if (last === undefined || found.length < next.limit || settled.length >= query.limit) break;
      next = {
        ...query,
        after: placeOf(last),
        limit: Math.max(query.limit, Math.min(2 * next.limit, readMax), readMin),
      };
    }
    return settled.slice(0, query.limit);
  }

  /** Waits once: what comes later on the page was shown later still, and the page's first records are in memory then. */
  #passed(version: number): Promise<number> {
    if (this.#hasWaited) return this.#end();
    this.#hasWaited = true;
    return this.#options.passed(version, settleMs);
  }

  async #end(): Promise<number> {
    const { build, position } = this.#options;
    return (await build.checkpoint())[position] ?? 0;
  }
}
