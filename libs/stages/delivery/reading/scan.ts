// Reads a range of the log once, a page at a time: other work goes on, and reads for waiting cursors come first.
import type { RecordOn } from '../../../domain/messages-of.ts';
import type { TaskContext } from '../../loop/stage.ts';
import type { Readers } from '../cursors/readers.ts';

/** One page: some milliseconds of work. */
const pageBounds = { recordsMax: 512, bytesMax: 1024 * 1024 };

export interface ScanOptions {
  readonly context: Pick<TaskContext, 'log' | 'partition'>;
  readonly readers: Readers;
  /** Limits scans to one of the readers' places: the others stay free for events that are due. */
  readonly scanners: Readers;
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
  { context: { log, partition }, readers, scanners }: ScanOptions,
  { topic, from, to, goesOn }: Scanned<T>,
  take: (record: RecordOn<T>) => void,
): Promise<void> {
  for (let next = from; goesOn() && next < to();) {
    const read = () => log.read(topic, partition, next, { ...pageBounds, to: to() });
    const page = await scanners.run(() => readers.run(read));
    await new Promise((resolve) => setImmediate(resolve));
    if (!goesOn()) return;
    for (const record of page.records) take(record);
    if (page.next <= next) return;
    next = page.next;
  }
}
