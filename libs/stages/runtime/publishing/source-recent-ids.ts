// Keeps the recent ids of a partition's sources: read from `state`, and changed by the outputs taken so far.
import type { MessageOn, RecordOn } from '../../../domain/messages-of.ts';
import { recentKey, sourceOfRecentKey } from '../../../domain/publish/recent-key.ts';
import { RecentIds, segments as segmentsMax } from '../../../domain/publish/recent-ids.ts';
import type { OutgoingOn } from '../../../log/index.ts';
import { isTombstone } from '../../loop/restoring/definitions.ts';
import type { TaskContext } from '../../loop/stage.ts';

/** The recent ids of one source. */
interface CachedIds {
  /** Undefined: the ids are only on the log. */
  ids: RecentIds | undefined;
  /** The offset of each segment on `state`. */
  readonly offsets: number[];
  /** Whether some of the ids are not on the log yet. */
  isUnsaved: boolean;
  /** The memory of the ids, as counted in `#bytes`. */
  bytes: number;
}

export interface SourceRecentIdsOptions extends Pick<TaskContext, 'partition'> {
  readonly log: Pick<TaskContext['log'], 'read'>;
  readonly bytesMax: number;
}

export class SourceRecentIds {
  readonly #options: SourceRecentIdsOptions;
  readonly #bySource = new Map<string, CachedIds>();
  /** The sources whose ids are in memory, the one used last at the end. */
  readonly #inMemory = new Set<CachedIds>();
  /** The memory of all ids together. */
  #bytes = 0;

  constructor(options: SourceRecentIdsOptions) {
    this.#options = options;
  }

  /** Applies a record of `state`; true: it is about recent ids. */
  accept(record: RecordOn<'state'>): boolean {
    if (isTombstone(record)) {
      const sourceId = sourceOfRecentKey(record.key);
      if (sourceId !== undefined) this.#drop(sourceId);
      return sourceId !== undefined;
    }
    if (record.type !== 'RecentIdsSaved') return false;
    const { sourceId, segment } = record.data;
    if (segment >= segmentsMax) return true;
    const cached = this.#cachedFor(sourceId);
    cached.offsets[segment] = record.offset;
    cached.ids?.restore(record.data);
    if (cached.ids !== undefined) this.#touch(cached);
    return true;
  }

  /** Call when everything on the log was accepted. */
  finishRestore(): void {
    for (const { ids } of this.#bySource.values()) ids?.finishRestoring();
  }

  /** The source's recent ids; undefined: they must be read first. */
  of(sourceId: string): RecentIds | undefined {
    return this.#cachedFor(sourceId).ids;
  }

  /** Call after every use: when there are too many ids in memory, those unused for longest are dropped. */
  markUsed(sourceId: string): void {
    const cached = this.#bySource.get(sourceId);
    if (cached?.ids === undefined) return;
    cached.isUnsaved ||= cached.ids.hasChanged;
    this.#touch(cached);
  }

  /** Reads the source's ids from the log. Publish nothing on the source in the meantime. */
  async read(sourceId: string): Promise<void> {
    const { log, partition } = this.#options;
    const cached = this.#cachedFor(sourceId);
    if (cached.ids !== undefined) return;
    const ids = new RecentIds();
    for (const offset of cached.offsets) {
      // Damaged segments were skipped.
      if (offset === undefined) continue;
      const page = await log.read('state', partition, offset, { recordsMax: 1, bytesMax: 1, to: offset + 1 });
      for (const record of page.records)
        if (record.type === 'RecentIdsSaved' && !isTombstone(record)) ids.restore(record.data);
    }
    ids.finishRestoring();
    cached.ids = ids;
    if (this.#bySource.get(sourceId) === cached) this.#touch(cached);
  }

  /** Call after each append, with the offsets of its records. */
  markSaved(records: readonly OutgoingOn[], offsets: readonly number[]): void {
    for (const [i, { topic, record }] of records.entries()) {
      const offset = offsets[i];
      if (topic !== 'state' || offset === undefined) continue;
      const { type, data } = record as MessageOn<'state'>;
      if (type !== 'RecentIdsSaved' || data === undefined || data === null) continue;
      const cached = this.#bySource.get(data.sourceId);
      if (cached === undefined) continue;
      cached.offsets[data.segment] = offset;
      cached.isUnsaved = cached.ids?.hasChanged === true;
    }
  }

  /** Forgets the source; returns the keys of its records on the log. */
  forget(sourceId: string): readonly string[] {
    const cached = this.#bySource.get(sourceId);
    const segments = Math.max(cached?.ids?.segments ?? 0, cached?.offsets.length ?? 0);
    this.#drop(sourceId);
    return Array.from({ length: segments }, (_, segment) => recentKey(sourceId, segment));
  }

  #cachedFor(sourceId: string): CachedIds {
    const known = this.#bySource.get(sourceId);
    if (known !== undefined) return known;
    const made: CachedIds = { ids: new RecentIds(), offsets: [], isUnsaved: false, bytes: 0 };
    this.#bySource.set(sourceId, made);
    return made;
  }

  #touch(cached: CachedIds): void {
    this.#inMemory.delete(cached);
    this.#inMemory.add(cached);
    this.#count(cached);
    if (this.#bytes <= this.#options.bytesMax) return;
    for (const one of this.#inMemory) {
      if (this.#bytes <= this.#options.bytesMax) return;
      if (one !== cached && !one.isUnsaved) this.#evict(one);
    }
  }

  #evict(cached: CachedIds): void {
    cached.ids = undefined;
    this.#inMemory.delete(cached);
    this.#count(cached);
  }

  #count(cached: CachedIds): void {
    const bytes = cached.ids?.bytes ?? 0;
    this.#bytes += bytes - cached.bytes;
    cached.bytes = bytes;
  }

  #drop(sourceId: string): void {
    const cached = this.#bySource.get(sourceId);
    if (cached === undefined) return;
    this.#evict(cached);
    this.#bySource.delete(sourceId);
  }
}
