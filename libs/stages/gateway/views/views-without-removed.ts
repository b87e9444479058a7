// Hides from reads of the views the documents that a note in `removals` declares gone, before they are removed.
import { setImmediate as turn } from 'node:timers/promises';
import { PortError } from '../../../domain/port-error.ts';
import { notedViews, removalsMax, removalsView } from '../../../domain/views/index.ts';
import type { RemovalView } from '../../../domain/views/index.ts';
import { LiveBuild } from '../../../view-store/live-build.ts';
import type { ViewBuild, ViewCount, ViewDocument, ViewIndexKey, ViewQuery } from '../../../view-store/view-store.ts';
import { countWithout } from './count-without.ts';
import { RemovedDocuments } from './removed-documents.ts';

/** Documents of one read, and the number of reads, if hidden ones are among the others. */
const documentsPerRead = 1_000;
const readsMax = 100;

export class ViewsWithoutRemoved extends LiveBuild {
  readonly #live: ViewBuild;

  constructor(live: ViewBuild) {
    super(() => live);
    this.#live = live;
  }

  override async get(name: string, id: string): Promise<ViewDocument | undefined> {
    const removed = await this.#removedIn(name);
    const found = await super.get(name, id);
    return found !== undefined && removed?.hides(found) === true ? undefined : found;
  }

  override async getMany(name: string, ids: readonly string[]): Promise<readonly (ViewDocument | undefined)[]> {
    const removed = await this.#removedIn(name);
    const found = await super.getMany(name, ids);
    if (removed === undefined) return found;
    return found.map((document) => (document !== undefined && removed.hides(document) ? undefined : document));
  }

  override async find(name: string, query: ViewQuery): Promise<readonly ViewDocument[]> {
    const removed = await this.#removedIn(name);
    return removed === undefined ? super.find(name, query) : this.#findVisible(removed, name, query);
  }

  override async findKeys(name: string, query: ViewQuery): Promise<readonly ViewIndexKey[]> {
    const removed = await this.#removedIn(name);
    if (removed === undefined) return super.findKeys(name, query);
    const found = await this.#findVisible(removed, name, query);
    return found.map((document) => ({ sort: removed.sortOf(query, document), id: document.id }));
  }

  async #findVisible(removed: RemovedDocuments, name: string, query: ViewQuery): Promise<readonly ViewDocument[]> {
    if (removed.hidesAll(query)) return [];
    const visible: ViewDocument[] = [];
    let next = query;
    for (let reads = 0; reads < readsMax; reads++) {
      const page = await super.find(name, next);
      visible.push(...page.filter((document) => !removed.hides(document)));
      const last = page.at(-1);
      if (last === undefined || page.length < next.limit || visible.length >= query.limit)
        return visible.slice(0, query.limit);
      next = { ...query, after: { sort: removed.sortOf(query, last), id: last.id }, limit: documentsPerRead };
      await turn();
    }
    // A short page would mean the end of the list.
    throw new PortError('unavailable', 'much of this list is being deleted: try again');
  }

  /** Inexact for a while: documents under two notes are subtracted twice, those of a partly matching note never. */
  override async count(name: string, query: ViewCount): Promise<number> {
    const removed = await this.#removedIn(name);
    if (removed === undefined) return super.count(name, query);
    if (removed.hidesAll(query)) return 0;
    const groups = removed.removedGroupsIn(query);
    const countRemoving = async (): Promise<number> => {
      let sum = 0;
      for (const group of groups) sum += await super.count(name, group);
      return sum;
    };
    return countWithout({ countAll: () => super.count(name, query), countRemoving });
  }

  /** Must be read before the documents, so that those removed meanwhile are left out, too. Undefined: no notes. */
  async #removedIn(name: string): Promise<RemovedDocuments | undefined> {
    if (!notedViews.has(name)) return undefined;
    const query = { index: 'byView', equals: [name], order: 'ascending', limit: removalsMax } as const;
    const found = await this.#live.find(removalsView, query);
    if (found.length === 0) return undefined;
    return new RemovedDocuments(
      name,
      found.map(({ value }) => value as RemovalView),
    );
  }
}
