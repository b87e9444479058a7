// Hides from reads of the views the documents that a note in `removals` declares gone, before they are removed.
import { setImmediate as turn } from 'node:timers/promises';
import { PortError } from '../../../domain/port-error.ts';
import { notedViews, removalsMax, removalsView } from '../../../domain/views/index.ts';
import type { RemovalView } from '../../../domain/views/index.ts';
import { LiveBuild } from '../../../view-store/live-build.ts';
import type { ViewBuild, ViewCount, ViewDocument, ViewPlace, ViewQuery } from '../../../view-store/view-store.ts';
import { countWithout } from './count-without.ts';
import { NotedDocuments } from './noted-removals.ts';

/** Documents of one read, and the number of reads, if hidden ones are among the others. */
const readAtOnce = 1_000;
const readsMax = 100;

export class WithoutNoted extends LiveBuild {
  readonly #live: ViewBuild;

  constructor(live: ViewBuild) {
    super(() => live);
    this.#live = live;
  }

  override async get(name: string, id: string): Promise<ViewDocument | undefined> {
    const notes = await this.#notesOf(name);
    const found = await super.get(name, id);
    return found !== undefined && notes?.holds(found) === true ? undefined : found;
  }

  override async getMany(name: string, ids: readonly string[]): Promise<readonly (ViewDocument | undefined)[]> {
    const notes = await this.#notesOf(name);
    const found = await super.getMany(name, ids);
    if (notes === undefined) return found;
    return found.map((document) => (document !== undefined && notes.holds(document) ? undefined : document));
  }

  override async find(name: string, query: ViewQuery): Promise<readonly ViewDocument[]> {
    const notes = await this.#notesOf(name);
    return notes === undefined ? super.find(name, query) : this.#findAround(notes, name, query);
  }

  override async places(name: string, query: ViewQuery): Promise<readonly ViewPlace[]> {
    const notes = await this.#notesOf(name);
    if (notes === undefined) return super.places(name, query);
    const found = await this.#findAround(notes, name, query);
    return found.map((document) => ({ sort: notes.sortOf(query, document), id: document.id }));
  }

  async #findAround(notes: NotedDocuments, name: string, query: ViewQuery): Promise<readonly ViewDocument[]> {
    if (notes.takeAll(query)) return [];
    const shown: ViewDocument[] = [];
    let next = query;
    for (let reads = 0; reads < readsMax; reads++) {
      const page = await super.find(name, next);
      shown.push(...page.filter((document) => !notes.holds(document)));
      const last = page.at(-1);
      if (last === undefined || page.length < next.limit || shown.length >= query.limit)
        return shown.slice(0, query.limit);
      next = { ...query, after: { sort: notes.sortOf(query, last), id: last.id }, limit: readAtOnce };
      await turn();
    }
    // A short page would mean the end of the list.
    throw new PortError('unavailable', 'much of this list is being deleted: try again');
  }

  /** Inexact for a while: documents under two notes are subtracted twice, those of a partly matching note never. */
  override async count(name: string, query: ViewCount): Promise<number> {
    const notes = await this.#notesOf(name);
    if (notes === undefined) return super.count(name, query);
    if (notes.takeAll(query)) return 0;
    const groups = notes.within(query);
    const taken = async (): Promise<number> => {
      let sum = 0;
      for (const group of groups) sum += await super.count(name, group);
      return sum;
    };
    return countWithout({ all: () => super.count(name, query), taken });
  }

  /** Must be read before the documents, so that those removed meanwhile are left out, too. Undefined: no notes. */
  async #notesOf(name: string): Promise<NotedDocuments | undefined> {
    if (!notedViews.has(name)) return undefined;
    const asked = { index: 'byView', equals: [name], order: 'ascending', limit: removalsMax } as const;
    const found = await this.#live.find(removalsView, asked);
    if (found.length === 0) return undefined;
    return new NotedDocuments(
      name,
      found.map(({ value }) => value as RemovalView),
    );
  }
}
