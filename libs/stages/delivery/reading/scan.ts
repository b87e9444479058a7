// Reads a range of the log once, a page at a time: other work continues, and reads for waiting cursors have priority.
import { isEverySource } from '../../../domain/delivery/matching.ts';
import type { RecordOn } from '../../../domain/messages-of.ts';
import type { Semaphore } from '../../../primitives/sharing/semaphore.ts';
import type { TaskContext } from '../../loop/stage.ts';
import type { SourceRecordReader } from './source-record-reader.ts';

/** One page: it is parsed in one turn of the event loop, in a millisecond or so. */
const pageBounds = { recordsMax: 512, bytesMax: 128 * 1024 };
/** The first page of a search that needs fewer records from some record on; each further page can be twice as long. */
const firstRecords = 4;

export interface ScanOptions {
  readonly context: Pick<TaskContext, 'log' | 'partition'>;
  readonly readSlots: Semaphore;
  /** Limits scans to two of the read slots: the others stay free for events that are due. */
  readonly scanSlots: ScanSlots;
}

/** Slots for scans: a short scan never waits for a long one to end, only for the first pages of others. */
export interface ScanSlots {
  /** For the first page of each scan. */
  readonly first: Semaphore;
  /** For all further pages. */
  readonly further: Semaphore;
}

export interface ScanRange<T extends 'channels' | 'deliveries'> {
  readonly topic: T;
  readonly from: number;
  /** The end of the range, exclusive; it can move while the range is read. */
  readonly to: () => number;
  /** Whether to continue reading. */
  readonly shouldContinue: () => boolean;
  /** Called after each page, when everything below `next` was passed to `take`. */
  readonly onProgress?: (next: number) => void;
}

/** Scans a range. Resolves in the turn of the event loop that reaches the end, or once `shouldContinue` returns false. */
export async function scan<T extends 'channels' | 'deliveries'>(
  options: ScanOptions,
  range: ScanRange<T>,
  take: (record: RecordOn<T>) => void,
): Promise<void> {
  const { context } = options;
  const read: PageReader<T> = (from, to) =>
    context.log.read(range.topic, context.partition, from, { ...pageBounds, to });
  await scanPages(read, options, range, take);
}

export interface SourceScanOptions extends ScanOptions {
  readonly sourceRecords: SourceRecordReader;
}

export interface SourceScanRange extends Omit<ScanRange<'channels'>, 'topic'> {
  readonly emitterId: string;
  /** Whether only deletions are wanted from now on. */
  readonly onlyDeletions?: () => boolean;
}

/** Scans the records of one source, or of every source; where the index has their offsets, reads only those records. */
export async function scanSource(
  options: SourceScanOptions,
  { emitterId, onlyDeletions, ...range }: SourceScanRange,
  take: (record: RecordOn<'channels'>) => void,
): Promise<void> {
  const read = sourcePages(options, emitterId, onlyDeletions);
  await scanPages(read, options, { ...range, topic: 'channels' }, take);
}

/** Reads pages of one source's records, or of every source's. `onlyDeletions`: see `SourceScanRange`. */
export function sourcePages(
  { context, sourceRecords }: SourceScanOptions,
  emitterId: string,
  onlyDeletions?: () => boolean,
): PageReader<'channels'> {
  const isEvery = isEverySource(emitterId);
  let recordsMax = onlyDeletions === undefined ? pageBounds.recordsMax : firstRecords;
  return async (from, to) => {
    const only = onlyDeletions?.() === true ? 'deletions' : undefined;
    const indexed = await sourceRecords.page(emitterId, from, { ...pageBounds, recordsMax, to, only });
    recordsMax = Math.min(recordsMax * 2, pageBounds.recordsMax);
    const page = indexed ?? (await context.log.read('channels', context.partition, from, { ...pageBounds, to }));
    if (isEvery) return page;
    const isOwn = (record: RecordOn<'channels'>): boolean =>
      record.type !== 'FilterChanged' && record.data.emitterId === emitterId;
    return { records: page.records.filter(isOwn), next: page.next };
  };
}

export interface ScanPage<T extends 'channels' | 'deliveries'> {
  readonly records: readonly RecordOn<T>[];
  readonly next: number;
}

/** `to`: exclusive. */
export type PageReader<T extends 'channels' | 'deliveries'> = (from: number, to: number) => Promise<ScanPage<T>>;

/** Reads each page in turn with those of other scans, and in a separate turn of the event loop. */
export function pacedReader<T extends 'channels' | 'deliveries'>(
  read: PageReader<T>,
  { readSlots, scanSlots }: Pick<ScanOptions, 'readSlots' | 'scanSlots'>,
): (from: number, to: () => number) => Promise<ScanPage<T>> {
  let slots = scanSlots.first;
  return async (from, to) => {
    const page = await slots.run(() => readSlots.run(() => read(from, to())));
    slots = scanSlots.further;
    await new Promise((resolve) => setImmediate(resolve));
    return page;
  };
}

async function scanPages<T extends 'channels' | 'deliveries'>(
  read: PageReader<T>,
  options: ScanOptions,
  { from, to, shouldContinue, onProgress }: ScanRange<T>,
  take: (record: RecordOn<T>) => void,
): Promise<void> {
  const readNext = pacedReader(read, options);
  for (let next = from; shouldContinue() && next < to();) {
    const page = await readNext(next, to);
    if (!shouldContinue()) return;
    for (const record of page.records) take(record);
    if (page.next <= next) return;
    next = page.next;
    onProgress?.(next);
  }
}
