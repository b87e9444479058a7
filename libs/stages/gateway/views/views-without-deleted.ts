// Hides deleted events from reads of the views as soon as the views know of the deletion, before they are removed.
import { setImmediate as turn } from 'node:timers/promises';
import { partitionOf } from '../../../domain/flow.ts';
import { PortError } from '../../../domain/port-error.ts';
import type { DeletionView, EventView } from '../../../domain/views/index.ts';
import { positionKey } from '../../../log/log.ts';
import { rangeCountMax } from '../../../view-store/catalog.ts';
import { LiveBuild } from '../../../view-store/live-build.ts';
import type {
  ViewBuild,
  ViewCount,
  ViewDocument,
  ViewGroup,
  ViewIndexKey,
  ViewQuery,
} from '../../../view-store/view-store.ts';
import { countWithout } from './count-without.ts';
import { HiddenEvents } from './hidden-events.ts';

const view = 'events';
/** Deletions of a source that are considered: the projection carries out no more at the same time. */
const deletionsMax = 500;
/** Events of one read, and the number of reads, if hidden events are among the others. */
const documentsPerRead = 1_000;
const readsMax = 100;
/** Parts that a count subtracts, each by a read. If there are more, deleted events count until they are removed. */
const partsMax = 500;

/** Every index of a source's events is sorted by their order. */
const viewPlaceOf = ({ id, value }: ViewDocument): ViewIndexKey => ({ sort: (value as EventView).order, id });

export class ViewsWithoutDeleted extends LiveBuild {
  readonly #live: ViewBuild;
  readonly #partitions: number;

  constructor(live: ViewBuild, partitions: number) {
    super(() => live);
    this.#live = live;
    this.#partitions = partitions;
  }

  override async get(name: string, id: string): Promise<ViewDocument | undefined> {
    if (name !== view) return super.get(name, id);
    const hidden = await this.#hiddenOf(id.slice(0, id.lastIndexOf('/')));
    const found = await super.get(name, id);
    return found === undefined || hidden.hides(found) ? undefined : found;
  }

  override async find(name: string, query: ViewQuery): Promise<readonly ViewDocument[]> {
    const hidden = await this.#hiddenIn(name, query);
    if (hidden === undefined || hidden.isEmpty) return super.find(name, query);
    return this.#findVisible(hidden, query);
  }

  override async findKeys(name: string, query: ViewQuery): Promise<readonly ViewIndexKey[]> {
    const hidden = await this.#hiddenIn(name, query);
    if (hidden === undefined || hidden.isEmpty) return super.findKeys(name, query);
    return (await this.#findVisible(hidden, query)).map(viewPlaceOf);
  }

  override async count(name: string, query: ViewCount): Promise<number> {
    const hidden = await this.#hiddenIn(name, query);
    if (hidden === undefined || hidden.isEmpty) return super.count(name, query);
    const parts = hidden.hiddenByChannel(query);
    return countWithout({
      countAll: async () => (await this.#countGaps(hidden, query)) ?? super.count(name, query),
      countRemoving: async () => {
        if (parts.length > partsMax) return 0;
        let sum = 0;
        for (const part of parts) sum += await super.count(name, part);
        return sum;
      },
    });
  }

  /**
   * Counts without the ranges that are removed as a whole. Undefined: there are none, or a count has reached its limit.
   * Then counting with what is not removed yet is too high for a while, but not far too low.
   */
  async #countGaps(hidden: HiddenEvents, query: ViewCount): Promise<number | undefined> {
    const gaps = hidden.gapsIn(query);
    if (gaps === undefined) return undefined;
    const { index, equals } = query;
    let sum = 0;
    for (const gap of gaps) {
      const count = await super.count(view, { index, equals, ...gap });
      if (count >= rangeCountMax) return undefined;
      sum += count;
    }
    return sum;
  }

  override async highest(name: string, query: ViewGroup): Promise<string | number | undefined> {
    const hidden = await this.#hiddenIn(name, query);
    if (hidden === undefined || hidden.isEmpty) return super.highest(name, query);
    try {
      const [newest] = await this.#findVisible(hidden, { ...query, order: 'descending', limit: 1 });
      return newest === undefined ? undefined : (newest.value as EventView).order;
    } catch (error) {
      if (!(error instanceof PortError) || error.code !== 'unavailable') throw error;
      // After very many events that are being deleted: for a while their order, rather than no answer about the source.
      return super.highest(name, query);
    }
  }

  async #findVisible(hidden: HiddenEvents, query: ViewQuery): Promise<readonly ViewDocument[]> {
    const visible: ViewDocument[] = [];
    let next = query;
    for (let reads = 0; reads < readsMax; reads++) {
      const page = await super.find(view, next);
      visible.push(...page.filter((document) => !hidden.hides(document)));
      const last = page.at(-1);
      if (last === undefined || page.length < next.limit || visible.length >= query.limit)
        return visible.slice(0, query.limit);
      const place = viewPlaceOf(last);
      const after = hidden.hides(last) ? hidden.skipHidden({ order: query.order, after: place }, query) : place;
      if (after === 'end') return visible;
      next = { ...query, after, limit: documentsPerRead };
      await turn();
    }
    // A short page would mean the end of the list.
    throw new PortError('unavailable', 'many events of this source are being deleted: try again');
  }

  /** The hidden events of the listed source; undefined: another view, or events of several sources. */
  async #hiddenIn(name: string, { equals: [emitterId] }: ViewGroup): Promise<HiddenEvents | undefined> {
    return name === view && typeof emitterId === 'string' ? this.#hiddenOf(emitterId) : undefined;
  }

  /**
   * Must be read before the events, so that those removed meanwhile are hidden, too. Deletions that the views passed
   * are kept as long as events, so they are not read; `after` has the empty id, so that `checkpointOffset` is read.
   */
  async #hiddenOf(emitterId: string): Promise<HiddenEvents> {
    const position = positionKey('channels', partitionOf(emitterId, this.#partitions));
    const checkpointOffset = (await this.#live.checkpoint())[position] ?? 0;
    const found = await this.#live.find('deletions', {
      index: 'byEmitter',
      equals: [emitterId],
      order: 'ascending',
      limit: deletionsMax,
      after: { sort: checkpointOffset, id: '' },
    });
    return new HiddenEvents(found.map(({ value }) => value as DeletionView));
  }
}
