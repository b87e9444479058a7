// Reads where a source's records stand from segments on the log: one record each, the last few of them kept.
import { partOf, offsetsIn, type IndexPart, type SourceOffsets } from '../../../domain/delivery/indexing/segment.ts';
import type { TaskContext } from '../../loop/stage.ts';
import type { SavedSegment } from './index-records.ts';

/** Parts kept for readers that continue in the same segment; each takes at most some 130 KB, and as much for a source. */
const keptMax = 4;

interface Kept {
  readonly part: IndexPart;
  /** Of the source that was asked for last: a reader asks for each page. */
  last?: { readonly emitterId: string; readonly offsets: SourceOffsets };
}

export class SavedParts {
  readonly #context: Pick<TaskContext, 'log' | 'partition'>;
  /** By offset, the least recently used first. */
  readonly #kept = new Map<number, Kept>();

  constructor(context: Pick<TaskContext, 'log' | 'partition'>) {
    this.#context = context;
  }

  /** Undefined: the part is not there any more. */
  async offsetsOf(segment: SavedSegment, emitterId: string): Promise<SourceOffsets | undefined> {
    const offset = segment.parts[partOf(emitterId, segment.parts.length)];
    if (offset === undefined) return undefined;
    const kept = this.#kept.get(offset) ?? (await this.#read(offset));
    if (kept?.part.from !== segment.from || kept.part.to !== segment.to) return undefined;
    this.#keep(offset, kept);
    if (kept.last?.emitterId !== emitterId) kept.last = { emitterId, offsets: offsetsIn(kept.part, emitterId) };
    return kept.last.offsets;
  }

  async #read(offset: number): Promise<Kept | undefined> {
    const { log, partition } = this.#context;
    const page = await log.read('indexes', partition, offset, { recordsMax: 1, bytesMax: 1, to: offset + 1 });
    const part = page.records[0]?.data ?? undefined;
    return part && { part };
  }

  #keep(offset: number, kept: Kept): void {
    this.#kept.delete(offset);
    this.#kept.set(offset, kept);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > keptMax && oldest !== undefined) this.#kept.delete(oldest);
  }
}
