// A list of what one partition of the log feeds, of which a record is shown only once every one before it is: who goes on
// from it, in either direction, misses none.
import { setTimeout as delay } from 'node:timers/promises';
import type { ViewBuild, ViewDocument } from '../../../view-store/view-store.ts';
import type { Listed, PageQuery } from './page-reader.ts';

/** A batch of records is being shown: its place follows in milliseconds. */
const lookMs = 5;
/** By then it is not, and what may have gaps is left out. */
const settleMs = 500;

export interface SettledOptions {
  readonly build: ViewBuild;
  /** `topic/partition` that feeds all of it. */
  readonly position: string;
  readonly listed: Listed;
}

export class SettledList implements Listed {
  readonly #options: SettledOptions;

  constructor(options: SettledOptions) {
    this.#options = options;
  }

  count(): Promise<number> {
    return this.#options.listed.count();
  }

  async find(query: PageQuery): Promise<readonly ViewDocument[]> {
    const { listed } = this.#options;
    const end = await this.#end();
    const found = await listed.find(query);
    const newest = Math.max(-1, ...found.map(({ version }) => version));
    if (newest < end) return found;
    const settled = await this.#passed(newest);
    // Under load others have come meanwhile, which are not shown yet.
    const again = await listed.find({ ...query, limit: 2 * query.limit });
    return again.filter(({ version }) => version < settled).slice(0, query.limit);
  }

  /** Where the views are once they have passed a record, or when that takes too long. */
  async #passed(version: number): Promise<number> {
    for (const deadline = performance.now() + settleMs; ;) {
      const end = await this.#end();
      if (end > version || performance.now() > deadline) return end;
      await delay(lookMs);
    }
  }

  async #end(): Promise<number> {
    const { build, position } = this.#options;
    return (await build.checkpoint())[position] ?? 0;
  }
}
