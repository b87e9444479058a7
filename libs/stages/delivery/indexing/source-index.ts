// Keeps delivery's index of one partition: the offsets of each source's records on `channels`, complete below its end.
import type { Ambient } from '../../../domain/ambient.ts';
import { Segment, type SourceOffsets } from '../../../domain/delivery/indexing/segment.ts';
import { isEverySource } from '../../../domain/delivery/matching.ts';
import type { RecordsOn } from '../../../domain/messages-of.ts';
import type { Semaphore } from '../../../primitives/sharing/semaphore.ts';
import type { OutgoingOn } from '../../../log/log.ts';
import type { TaskContext } from '../../loop/stage.ts';
import type { DeliveryLimits } from '../delivery-limits.ts';
import type { Outbox } from '../outbox.ts';
import { SourceRecordReader, type IndexedOffsets } from '../reading/source-record-reader.ts';
import { Filling } from './filling.ts';
import { segmentTombstones, partRecords, savedRecord, type SavedSegment } from './index-records.ts';
import { SavedParts } from './saved-parts.ts';

/** While the log stalls, records beyond this many segments are dropped and read again later. */
const openSegmentsMax = 4;
/** Segments removed at a time: more than the one that is saved at the same time. */
const forgottenPerSave = 4;

export interface SourceIndexOptions {
  readonly context: Pick<TaskContext, 'log' | 'partition' | 'fail'>;
  readonly ambient: Pick<Ambient, 'now'>;
  readonly limits: Pick<DeliveryLimits, 'segmentRecords'>;
  readonly outbox: Pick<Outbox, 'appendNow' | 'attach'>;
  readonly fillSlots: Semaphore;
  /** The offset that the tail has reached. */
  readonly tailAt: () => number;
}

export class SourceIndex {
  /** Reads a source's records with this index. */
  readonly reader: SourceRecordReader;
  readonly #options: SourceIndexOptions;
  readonly #parts: SavedParts;
  readonly #filling: Filling;
  /** Segments on the log, in order and without gaps; the first can begin above 0. */
  readonly #saved: SavedSegment[];
  /** The segment that is being saved. */
  #sealed: Segment | undefined;
  #open: Segment;
  /** Whether the tail brings the next records; otherwise they must be read. */
  #followsTail = false;
  #closed = false;

  /** `saved`: the segments on the log. */
  constructor(options: SourceIndexOptions, saved: readonly SavedSegment[]) {
    this.#options = options;
    this.reader = new SourceRecordReader(options.context, this);
    this.#parts = new SavedParts(options.context);
    this.#saved = [...saved];
    this.#open = new Segment(saved.at(-1)?.to ?? 0);
    this.#filling = new Filling(options, {
      next: () => (this.#sealed === undefined ? this.#open.to : undefined),
      take: (records, next) => this.#take(records, next),
      onReached: () => (this.#followsTail = true),
    });
  }

  /** Starts to read, slowly, the records between the last segment and the tail. */
  start(): void {
    this.#filling.start();
  }

  /** Indexes records from the tail. */
  take(records: RecordsOn<'channels'>, next: number): void {
    if (this.#followsTail) this.#take(records, next);
  }

  /** Call with every output that is on the log. */
  committed(records: readonly OutgoingOn[], offsets: readonly number[]): void {
    const sealed = this.#sealed;
    if (sealed === undefined) return;
    const parts = offsets.filter((_, i) => isPart(records[i]));
    if (parts.length === 0) return;
    const { partition } = this.#options.context;
    const saved = { from: sealed.from, to: sealed.to, records: sealed.records, parts };
    this.#saved.push(saved);
    this.#sealed = undefined;
    this.#options.outbox.appendNow(savedRecord(saved, { partition, at: this.#options.ambient.now() }));
    this.#seal();
    this.#forgetTrimmed().catch((error: unknown) => {
      if (!this.#closed) this.#options.context.fail(error instanceof Error ? error : new Error(String(error)));
    });
  }

  /** The offsets of the source's records from `from` on; undefined: read them from the log, as for every source. */
  async find(emitterId: string, from: number): Promise<IndexedOffsets | undefined> {
    if (isEverySource(emitterId)) return undefined;
    for (const segment of [this.#open, this.#sealed])
      if (segment !== undefined && from >= segment.from && from < segment.to)
        return indexedOffsets(segment.offsetsOf(emitterId), segment, from);
    const saved = this.#savedAt(from);
    const offsets = saved && (await this.#parts.offsetsOf(saved, emitterId));
    return saved && offsets && indexedOffsets(offsets, saved, from);
  }

  close(): void {
    this.#closed = true;
    this.#filling.close();
  }

  #take(records: RecordsOn<'channels'>, next: number): void {
    for (const { type, offset, data } of records)
      if (type !== 'FilterChanged') this.#open.add(type, data.emitterId, offset);
    this.#open.extendTo(next);
    this.#seal();
  }

  #seal(): void {
    const { limits, outbox, ambient, context } = this.#options;
    const open = this.#open;
    if (open.records < limits.segmentRecords) return;
    if (this.#sealed !== undefined) {
      if (open.records > limits.segmentRecords * openSegmentsMax) this.#drop();
      return;
    }
    this.#sealed = open;
    this.#open = new Segment(open.to);
    outbox.attach(partRecords(open, { partition: context.partition, at: ambient.now() }));
  }

  #drop(): void {
    this.#open = new Segment(this.#open.from);
    this.#followsTail = false;
    this.#filling.start();
  }

  #savedAt(offset: number): SavedSegment | undefined {
    let [low, high] = [0, this.#saved.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#saved[middle]?.to ?? 0) <= offset) low = middle + 1;
      else high = middle;
    }
    const segment = this.#saved[low];
    return segment !== undefined && segment.from <= offset ? segment : undefined;
  }

  /** Removes segments of trimmed records, at each segment that is saved: the index lasts no longer than its records. */
  async #forgetTrimmed(): Promise<void> {
    const { context, outbox, ambient } = this.#options;
    const { log, partition } = context;
    const [first] = (await log.read('channels', partition, 0, { recordsMax: 1, bytesMax: 1 })).records;
    if (this.#closed || first === undefined) return;
    for (let n = 0; n < forgottenPerSave && (this.#saved[0]?.to ?? Infinity) <= first.offset; n++) {
      const trimmed = this.#saved.shift();
      if (trimmed === undefined) return;
      for (const record of segmentTombstones(trimmed, { partition, at: ambient.now() })) outbox.appendNow(record);
    }
  }
}

const isPart = (outgoing: OutgoingOn | undefined): boolean =>
  outgoing?.topic === 'indexes' && outgoing.record.data !== undefined && outgoing.record.data !== null;

function indexedOffsets(
  { events, deletions }: SourceOffsets,
  { from: first, to, records }: Pick<Segment, 'from' | 'to' | 'records'>,
  from: number,
): IndexedOffsets {
  const onwards = (offsets: readonly number[]): readonly number[] => {
    const start = lowerBound(offsets, from);
    return start === 0 ? [...offsets] : offsets.slice(start);
  };
  return { events: onwards(events), deletions: onwards(deletions), to, spacing: (to - first) / Math.max(1, records) };
}

/** The first index at which the number is `least` or more. */
function lowerBound(numbers: readonly number[], least: number): number {
  let [low, high] = [0, numbers.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((numbers[middle] ?? Infinity) < least) low = middle + 1;
    else high = middle;
  }
  return low;
}
