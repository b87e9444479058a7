// Pages of one source's records: the index says where they stand, and what is between them is not read.
import type { SourceOffsets } from '../../../domain/delivery/indexing/segment.ts';
import type { RecordOn } from '../../../domain/messages-of.ts';
import type { TaskContext } from '../../loop/stage.ts';
import { runsOf, type Run } from './runs.ts';

/** Segments looked into for one page: far below a millisecond each, so that other reads wait for some milliseconds. */
const looksMax = 16;
/** Bytes asked for with each record of a run: some logs read ahead as far as the bounds allow. */
const recordBytes = 1_024;
/** Other records that may be read for each of the source's own. */
const othersMax = 1;

/** What the index has of a source from an offset on. */
export interface Found extends SourceOffsets {
  /** Exclusive: the index does not cover what is above. */
  readonly to: number;
  /** The mean distance between records of any source. */
  readonly spacing: number;
}

/** Undefined: the log must be read from `from` on. */
type Find = { find(emitterId: string, from: number): Promise<Found | undefined> };

export interface SourceRecordPage {
  readonly records: readonly RecordOn<'channels'>[];
  /** The source's records below it have been read. */
  readonly next: number;
}

export interface SourceRecordBounds {
  readonly recordsMax: number;
  readonly bytesMax: number;
  /** Exclusive. */
  readonly to: number;
  /** Default: all records. */
  readonly only?: 'deletions' | undefined;
}

export interface Wanted {
  readonly emitterId: string;
  readonly from: number;
  readonly recordsMax: number;
  /** How many other sources' records between `from` and this offset are wanted too. */
  readonly others: (to: number) => number;
}

export class SourceRecordReader {
  readonly #context: Pick<TaskContext, 'log' | 'partition'>;
  readonly #index: Find;

  constructor(context: Pick<TaskContext, 'log' | 'partition'>, index: Find) {
    this.#context = context;
    this.#index = index;
  }

  /** Whether reading everything would read more than twice what is wanted. */
  async isSparse({ emitterId, from, recordsMax, others }: Wanted): Promise<boolean> {
    const found = await this.#index.find(emitterId, from);
    if (found === undefined) return false;
    const wanted = found.events.slice(0, recordsMax);
    const last = wanted.at(-1);
    if (last === undefined) return true;
    return (last - from) / found.spacing > (1 + othersMax) * wanted.length * (1 + others(last));
  }

  /** Undefined: the index does not say what stands at `from`. A page may be empty before the end. */
  async page(emitterId: string, from: number, bounds: SourceRecordBounds): Promise<SourceRecordPage | undefined> {
    const reading = new Reading(this.#context, emitterId, bounds);
    let next = from;
    for (let looks = 0; looks < looksMax && next < bounds.to && !reading.isFull; looks++) {
      const found = await this.#index.find(emitterId, next);
      if (found === undefined && looks === 0) return undefined;
      if (found === undefined) break;
      next = await reading.read(found);
    }
    return { records: reading.records, next };
  }
}

/** One page being read. */
class Reading {
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

  /** Returns the offset to read on from. */
  async read({ events, deletions, to, spacing }: Found): Promise<number> {
    const { only, recordsMax, to: limit } = this.#bounds;
    const all = only === 'deletions' ? deletions : merged(events, deletions);
    const below = all.filter((offset) => offset < limit);
    const offsets = below.slice(0, recordsMax - this.records.length);
    for (const run of runsOf(offsets, spacing * (1 + othersMax))) {
      const next = await this.#readRun(run);
      if (this.isFull) return next;
    }
    const last = offsets.at(-1);
    return last !== undefined && offsets.length < below.length ? last + 1 : Math.min(to, limit);
  }

  async #readRun({ from, to, count }: Run): Promise<number> {
    const { log, partition } = this.#context;
    let next = from;
    while (next < to && !this.isFull) {
      const bytesMax = count === 1 ? 1 : Math.min(count * recordBytes, this.#bounds.bytesMax);
      const recordsMax = Math.max(1, Math.min(count * (1 + othersMax), this.#bounds.recordsMax));
      const page = await log.read('channels', partition, next, { recordsMax, bytesMax, to });
      const [first] = page.records;
      if (page.next <= next || first === undefined) return to;
      for (const record of page.records) if (isOf(this.#emitterId, record)) this.records.push(record);
      this.#bytes += page.records.length === 1 ? JSON.stringify(first.data).length : bytesMax;
      next = page.next;
    }
    return next;
  }
}

const isOf = (emitterId: string, record: RecordOn<'channels'>): boolean =>
  record.type !== 'FilterChanged' && record.data.emitterId === emitterId;

/** Two rising lists as one. */
function merged(events: readonly number[], deletions: readonly number[]): readonly number[] {
  return deletions.length === 0 ? events : [...events, ...deletions].toSorted((a, b) => a - b);
}
