// Reads where a source's records stand from segments on the log: one record each, the last few of them kept.
import { partOf, standingIn, type IndexPart, type Standing } from '../../../domain/delivery/indexing/segment.ts';
import type { TaskContext } from '../../loop/stage.ts';
import type { SavedSegment } from './index-records.ts';

/** Parts kept for readers that continue in the same segment; each takes at most some 130 KB. */
const keptMax = 4;

export class SavedParts {
  readonly #context: Pick<TaskContext, 'log' | 'partition'>;
  /** By offset, the least recently used first. */
  readonly #kept = new Map<number, IndexPart>();

  constructor(context: Pick<TaskContext, 'log' | 'partition'>) {
    this.#context = context;
  }

  /** Undefined: the part is not there any more. */
  async standing(segment: SavedSegment, emitterId: string): Promise<Standing | undefined> {
    const offset = segment.parts[partOf(emitterId, segment.parts.length)];
    if (offset === undefined) return undefined;
    const part = this.#kept.get(offset) ?? (await this.#read(offset));
    if (part?.from !== segment.from || part.to !== segment.to) return undefined;
    this.#keep(offset, part);
    return standingIn(part, emitterId);
  }

  async #read(offset: number): Promise<IndexPart | undefined> {
    const { log, partition } = this.#context;
    const page = await log.read('indexes', partition, offset, { recordsMax: 1, bytesMax: 1, to: offset + 1 });
    return page.records[0]?.data ?? undefined;
  }

  #keep(offset: number, part: IndexPart): void {
    this.#kept.delete(offset);
    this.#kept.set(offset, part);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > keptMax && oldest !== undefined) this.#kept.delete(oldest);
  }
}
