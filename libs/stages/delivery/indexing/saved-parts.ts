// Reads the offsets of a source's records from segments on the log, and keeps the last few parts in memory.
import { partOf, offsetsIn, type IndexPart, type SourceOffsets } from '../../../domain/delivery/indexing/segment.ts';
import type { TaskContext } from '../../loop/stage.ts';
import type { SavedSegment } from './index-records.ts';

/** Parts kept for readers that continue in a segment; each takes at most some 130 KB, and as much for a source. */
const cachedMax = 4;

interface CachedPart {
  readonly part: IndexPart;
  /** The offsets of the last requested source: a reader requests them for each page. */
  last?: { readonly emitterId: string; readonly offsets: SourceOffsets };
}

export class SavedParts {
  readonly #context: Pick<TaskContext, 'log' | 'partition'>;
  /** Parts by offset, the least recently used first. */
  readonly #cache = new Map<number, CachedPart>();

  constructor(context: Pick<TaskContext, 'log' | 'partition'>) {
    this.#context = context;
  }

  /** The offsets of the source's records in the segment; undefined: the part is gone. */
  async offsetsOf(segment: SavedSegment, emitterId: string): Promise<SourceOffsets | undefined> {
    const offset = segment.parts[partOf(emitterId, segment.parts.length)];
    if (offset === undefined) return undefined;
    const cached = this.#cache.get(offset) ?? (await this.#read(offset));
    if (cached?.part.from !== segment.from || cached.part.to !== segment.to) return undefined;
    this.#addToCache(offset, cached);
    if (cached.last?.emitterId !== emitterId) cached.last = { emitterId, offsets: offsetsIn(cached.part, emitterId) };
    return cached.last.offsets;
  }

  async #read(offset: number): Promise<CachedPart | undefined> {
    const { log, partition } = this.#context;
    const page = await log.read('indexes', partition, offset, { recordsMax: 1, bytesMax: 1, to: offset + 1 });
    const part = page.records[0]?.data ?? undefined;
    return part && { part };
  }

  #addToCache(offset: number, cached: CachedPart): void {
    this.#cache.delete(offset);
    this.#cache.set(offset, cached);
    const [oldest] = this.#cache.keys();
    if (this.#cache.size > cachedMax && oldest !== undefined) this.#cache.delete(oldest);
  }
}
