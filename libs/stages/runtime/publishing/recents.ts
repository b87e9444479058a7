// Keeps the recent ids of a partition's sources: read from `state`, and changed by the outputs taken so far.
import type { MessageOn, RecordOn } from '../../../domain/messages-of.ts';
import { recentKey, sourceOfRecentKey } from '../../../domain/publish/recent-key.ts';
import { RecentIds, segments as segmentsMax } from '../../../domain/publish/recent-ids.ts';
import type { OutgoingOn } from '../../../log/index.ts';
import { isTombstone } from '../../loop/restoring/definitions.ts';
import type { TaskContext } from '../../loop/stage.ts';

/** The recent ids of one source. */
interface Kept {
  /** Undefined: the ids are only on the log. */
  ids: RecentIds | undefined;
  /** The offset of each segment on `state`. */
  readonly offsets: number[];
  /** Whether some of the ids are not on the log yet. */
  isUnsaved: boolean;
  /** The memory of the ids, as counted in `#bytes`. */
  bytes: number;
}

export interface RecentsOptions extends Pick<TaskContext, 'partition'> {
  readonly log: Pick<TaskContext['log'], 'read'>;
  readonly bytesMax: number;
}

export class Recents {
  readonly #options: RecentsOptions;
  readonly #bySource = new Map<string, Kept>();
  /** The sources whose ids are in memory, the one used last at the end. */
  readonly #inMemory = new Set<Kept>();
  /** The memory of all ids together. */
  #bytes = 0;

  constructor(options: RecentsOptions) {
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
    const kept = this.#kept(sourceId);
    kept.offsets[segment] = record.offset;
    kept.ids?.restore(record.data);
    if (kept.ids !== undefined) this.#used(kept);
    return true;
  }

  /** Call when everything on the log was accepted. */
  restored(): void {
    for (const { ids } of this.#bySource.values()) ids?.restored();
  }

  /** The source's recent ids; undefined: they must be read first. */
  of(sourceId: string): RecentIds | undefined {
    return this.#kept(sourceId).ids;
  }

  /** Call after every use: when there are too many ids in memory, those unused for longest are dropped. */
  used(sourceId: string): void {
    const kept = this.#bySource.get(sourceId);
    if (kept?.ids === undefined) return;
    kept.isUnsaved ||= kept.ids.hasChanged;
    this.#used(kept);
  }

  /** Reads the source's ids from the log. Publish nothing on the source in the meantime. */
  async read(sourceId: string): Promise<void> {
    const { log, partition } = this.#options;
    const kept = this.#kept(sourceId);
    if (kept.ids !== undefined) return;
    const ids = new RecentIds();
    for (const offset of kept.offsets) {
      // Damaged segments were skipped.
      if (offset === undefined) continue;
      const page = await log.read('state', partition, offset, { recordsMax: 1, bytesMax: 1, to: offset + 1 });
      for (const record of page.records)
        if (record.type === 'RecentIdsSaved' && !isTombstone(record)) ids.restore(record.data);
    }
    ids.restored();
    kept.ids = ids;
    if (this.#bySource.get(sourceId) === kept) this.#used(kept);
  }

  /** Call after each append, with the offsets of its records. */
  saved(records: readonly OutgoingOn[], offsets: readonly number[]): void {
    for (const [i, { topic, record }] of records.entries()) {
      const offset = offsets[i];
      if (topic !== 'state' || offset === undefined) continue;
      const { type, data } = record as MessageOn<'state'>;
      if (type !== 'RecentIdsSaved' || data === undefined || data === null) continue;
      const kept = this.#bySource.get(data.sourceId);
      if (kept === undefined) continue;
      kept.offsets[data.segment] = offset;
      kept.isUnsaved = kept.ids?.hasChanged === true;
    }
  }

  /** Forgets the source; returns the keys of its records on the log. */
  forget(sourceId: string): readonly string[] {
    const kept = this.#bySource.get(sourceId);
    const segments = Math.max(kept?.ids?.segments ?? 0, kept?.offsets.length ?? 0);
    this.#drop(sourceId);
    return Array.from({ length: segments }, (_, segment) => recentKey(sourceId, segment));
  }

  #kept(sourceId: string): Kept {
    const known = this.#bySource.get(sourceId);
    if (known !== undefined) return known;
    const made: Kept = { ids: new RecentIds(), offsets: [], isUnsaved: false, bytes: 0 };
    this.#bySource.set(sourceId, made);
    return made;
  }

  #used(kept: Kept): void {
    this.#inMemory.delete(kept);
    this.#inMemory.add(kept);
    this.#count(kept);
    if (this.#bytes <= this.#options.bytesMax) return;
    for (const one of this.#inMemory) {
      if (this.#bytes <= this.#options.bytesMax) return;
      if (one !== kept && !one.isUnsaved) this.#release(one);
    }
  }

  #release(kept: Kept): void {
    kept.ids = undefined;
    this.#inMemory.delete(kept);
    this.#count(kept);
  }

  #count(kept: Kept): void {
    const bytes = kept.ids?.bytes ?? 0;
    this.#bytes += bytes - kept.bytes;
    kept.bytes = bytes;
  }

  #drop(sourceId: string): void {
    const kept = this.#bySource.get(sourceId);
    if (kept === undefined) return;
    this.#release(kept);
    this.#bySource.delete(sourceId);
  }
}
