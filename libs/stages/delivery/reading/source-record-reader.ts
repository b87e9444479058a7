// Reads pages of one source's records at the offsets from the index, without the records between them.
import type { SourceOffsets } from '../../../domain/delivery/indexing/segment.ts';
import type { RecordOn } from '../../../domain/messages-of.ts';
import type { TaskContext } from '../../loop/stage.ts';
import { offsetRunsOf, type OffsetRun } from './offset-runs.ts';

/** Segments searched for one page: far below a millisecond each, so that other reads wait at most some milliseconds. */
const lookupsMax = 16;
/** Bytes requested for each record of a run: some logs read ahead as far as the bounds allow. */
const recordBytes = 1_024;
/** The most other records that are read for each of the source's own. */
const othersMax = 1;

/** What the index has about a source from an offset on. */
export interface IndexedOffsets extends SourceOffsets {
  /** The end of what the index covers, exclusive. */
  readonly to: number;
  /** The mean distance between records of any source. */
  readonly spacing: number;
}

/** Finds a source's records in the index; undefined: the log must be read from `from` on. */
type OffsetLookup = { find(emitterId: string, from: number): Promise<IndexedOffsets | undefined> };

export interface SourceRecordPage {
  readonly records: readonly RecordOn<'channels'>[];
  /** The offset below which all of the source's records have been read. */
  readonly next: number;
}

export interface SourceRecordBounds {
  readonly recordsMax: number;
  readonly bytesMax: number;
  /** The end of the range, exclusive. */
  readonly to: number;
  /** Which records to read; by default all. */
  readonly only?: 'deletions' | undefined;
}

export interface SparseQuery {
  readonly emitterId: string;
  readonly from: number;
  readonly recordsMax: number;
  /** How many other sources' records between `from` and this offset are wanted too. */
  readonly others: (to: number) => number;
}

export class SourceRecordReader {
  readonly #context: Pick<TaskContext, 'log' | 'partition'>;
  readonly #index: OffsetLookup;

  constructor(context: Pick<TaskContext, 'log' | 'partition'>, index: OffsetLookup) {
    this.#context = context;
    this.#index = index;
  }

  /** Whether reading all records would read more than twice as many as are wanted. */
  async isSparse({ emitterId, from, recordsMax, others }: SparseQuery): Promise<boolean> {
    const found = await this.#index.find(emitterId, from);
    if (found === undefined) return false;
    const wanted = found.events.slice(0, recordsMax);
    const last = wanted.at(-1);
    if (last === undefined) return true;
    return (last - from) / found.spacing > (1 + othersMax) * wanted.length * (1 + others(last));
  }

  /** Reads a page; undefined: the index does not cover `from`. A page can be empty before the end. */
  async page(emitterId: string, from: number, bounds: SourceRecordBounds): Promise<SourceRecordPage | undefined> {
    const reading = new SourcePageRead(this.#context, emitterId, bounds);
    let next = from;
    for (let lookups = 0; lookups < lookupsMax && next < bounds.to && !reading.isFull; lookups++) {
      const found = await this.#index.find(emitterId, next);
      if (found === undefined && lookups === 0) return undefined;
      if (found === undefined) break;
      next = await reading.read(found);
    }
    return { records: reading.records, next };
  }
}

/** One page being read. */
class SourcePageRead {
  readonly records: RecordOn<'channels'>[] = [];
  readonly #context: Pick<TaskContext, 'log' | 'partition'>;
  readonly #emitterId: string;
  readonly #bounds: SourceRecordBounds;
  #bytes = 0;

  constructor(context: Pick<TaskContext, 'log' | 'partition'>, emitterId: string, bounds: SourceRecordBounds) {
    this.#context = context;
    this.#emitterId = emitterId;
    this.#bounds = bounds;
  }

  get isFull(): boolean {
    return this.records.length >= this.#bounds.recordsMax || this.#bytes >= this.#bounds.bytesMax;
  }

  /** Returns the offset to continue from. */
  async read({ events, deletions, to, spacing }: IndexedOffsets): Promise<number> {
    const { only, recordsMax, to: limit } = this.#bounds;
    const all = only === 'deletions' ? deletions : merged(events, deletions);
    const below = all.filter((offset) => offset < limit);
    const offsets = below.slice(0, recordsMax - this.records.length);
    for (const run of offsetRunsOf(offsets, spacing * (1 + othersMax))) {
      const next = await this.#readRun(run);
      if (this.isFull) return next;
    }
    const last = offsets.at(-1);
    return last !== undefined && offsets.length < below.length ? last + 1 : Math.min(to, limit);
  }

  async #readRun({ from, to, count }: OffsetRun): Promise<number> {
    const { log, partition } = this.#context;
    let next = from;
    while (next < to && !this.isFull) {
      const bytesMax = count === 1 ? 1 : Math.min(count * recordBytes, this.#bounds.bytesMax);
      const recordsMax = Math.max(1, Math.min(count * (1 + othersMax), this.#bounds.recordsMax));
      const page = await log.read('channels', partition, next, { recordsMax, bytesMax, to });
      const [first] = page.records;
      if (page.next <= next || first === undefined) return to;
      for (const record of page.records) if (isFromSource(this.#emitterId, record)) this.records.push(record);
      this.#bytes += page.records.length === 1 ? JSON.stringify(first.data).length : bytesMax;
      next = page.next;
    }
    return next;
  }
}

const isFromSource = (emitterId: string, record: RecordOn<'channels'>): boolean =>
  record.type !== 'FilterChanged' && record.data.emitterId === emitterId;

/** Merges two ascending lists. */
function merged(events: readonly number[], deletions: readonly number[]): readonly number[] {
  return deletions.length === 0 ? events : [...events, ...deletions].toSorted((a, b) => a - b);
}
