// Reads a range of the log once, a page at a time: other work continues, and reads for waiting cursors come first.
import { isEverySource } from '../../../domain/delivery/matching.ts';
import type { RecordOn } from '../../../domain/messages-of.ts';
import type { TaskContext } from '../../loop/stage.ts';
import type { Readers } from '../events/readers.ts';
import type { SourceRecordReader } from './source-record-reader.ts';

/** One page: it is parsed in one turn of the event loop, in a millisecond or so. */
const pageBounds = { recordsMax: 512, bytesMax: 128 * 1024 };
/** The first page of a search that reads less from some record on; each further one may hold twice as many. */
const firstRecords = 4;

export interface ScanOptions {
  readonly context: Pick<TaskContext, 'log' | 'partition'>;
  readonly readers: Readers;
  /** Limits scans to two of the readers' places: the others stay free for events that are due. */
  readonly scanners: Scanners;
}

/** Places for scans: a short one never waits for a long one to end, only for other first pages. */
export interface Scanners {
  /** For the first page of each scan. */
  readonly first: Readers;
  /** For all further pages. */
  readonly further: Readers;
}

export interface Scanned<T extends 'channels' | 'deliveries'> {
  readonly topic: T;
  readonly from: number;
  /** Exclusive; it may move while the range is read. */
  readonly to: () => number;
  /** Whether to go on reading. */
  readonly goesOn: () => boolean;
}

/** Resolves in the turn of the event loop that reached the end, or once `goesOn` returns false. */
export async function scan<T extends 'channels' | 'deliveries'>(
  options: ScanOptions,
  range: Scanned<T>,
  take: (record: RecordOn<T>) => void,
): Promise<void> {
  const { context } = options;
  const read = (from: number, to: number): Promise<Read<T>> =>
    context.log.read(range.topic, context.partition, from, { ...pageBounds, to });
  await scanBy(read, options, range, take);
}

export interface ScannedSource extends Omit<Scanned<'channels'>, 'topic'> {
  readonly emitterId: string;
  /** Whether only deletions are wanted from now on. */
  readonly onlyDeletions?: () => boolean;
}

/** The same, of one source or of every: where the index says where its records stand, only those are read. */
export async function scanSource(
  options: ScanOptions & { readonly sourceRecords: SourceRecordReader },
  { emitterId, onlyDeletions, ...range }: ScannedSource,
  take: (record: RecordOn<'channels'>) => void,
): Promise<void> {
  const { context, sourceRecords } = options;
  let recordsMax = onlyDeletions === undefined ? pageBounds.recordsMax : firstRecords;
  const read = async (from: number, to: number): Promise<Read<'channels'>> => {
    const only = onlyDeletions?.() === true ? 'deletions' : undefined;
    const page = await sourceRecords.page(emitterId, from, { ...pageBounds, recordsMax, to, only });
    recordsMax = Math.min(recordsMax * 2, pageBounds.recordsMax);
    return page ?? context.log.read('channels', context.partition, from, { ...pageBounds, to });
  };
  const isEvery = isEverySource(emitterId);
  await scanBy(read, options, { ...range, topic: 'channels' }, (record) => {
    if (isEvery || (record.type !== 'FilterChanged' && record.data.emitterId === emitterId)) take(record);
  });
}

interface Read<T extends 'channels' | 'deliveries'> {
  readonly records: readonly RecordOn<T>[];
  readonly next: number;
}

async function scanBy<T extends 'channels' | 'deliveries'>(
  read: (from: number, to: number) => Promise<Read<T>>,
  { readers, scanners }: ScanOptions,
  { from, to, goesOn }: Scanned<T>,
  take: (record: RecordOn<T>) => void,
): Promise<void> {
  let scanner = scanners.first;
  for (let next = from; goesOn() && next < to();) {
    const at = next;
    const page = await scanner.run(() => readers.run(() => read(at, to())));
    scanner = scanners.further;
    await new Promise((resolve) => setImmediate(resolve));
    if (!goesOn()) return;
    for (const record of page.records) take(record);
    if (page.next <= next) return;
    next = page.next;
  }
}
