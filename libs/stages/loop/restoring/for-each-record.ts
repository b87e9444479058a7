// Reads one partition page by page, so that its records never have to fit into memory together.
import type { TopicName } from '../../../domain/flow.ts';
import type { StoredRecord } from '../../../domain/message.ts';
import type { RecordOn } from '../../../domain/messages-of.ts';
import type { Log } from '../../../log/log.ts';
import type { CheckedLog } from '../reading/checked-log.ts';

/**
 * Large enough for few reads, small enough that other work between them waits for only some 2 ms: records of
 * components hold their code.
 */
const pageBounds = { recordsMax: 256, bytesMax: 4 * 1024 * 1024 };

export interface RecordRange<T extends TopicName = TopicName> {
  readonly topic: T;
  readonly partition: number;
  /** Default: the beginning. */
  readonly from?: number;
  /** Exclusive; default: the end. */
  readonly to?: number;
}

/** Passes every record on in order, and returns the next offset to read. Throws what reading throws. */
export function forEachRecord<T extends TopicName>(
  log: Pick<CheckedLog, 'read'>,
  range: RecordRange<T>,
  take: (record: RecordOn<T>) => void,
): Promise<number>;
export function forEachRecord(
  log: Pick<Log, 'read'>,
  range: RecordRange,
  take: (record: StoredRecord) => void,
): Promise<number>;
export async function forEachRecord(
  log: Pick<Log, 'read'>,
  { topic, partition, from = 0, to }: RecordRange,
  take: (record: StoredRecord) => void,
): Promise<number> {
  const bounds = to === undefined ? pageBounds : { ...pageBounds, to };
  let next = from;
  while (to === undefined || next < to) {
    const page = await log.read(topic, partition, next, bounds);
    for (const record of page.records) take(record);
    if (page.next <= next) break;
    next = page.next;
  }
  return next;
}

/** Returns the last record of the range. */
export function newestRecord<T extends TopicName>(
  log: Pick<CheckedLog, 'read'>,
  range: RecordRange<T>,
): Promise<RecordOn<T> | undefined>;
export function newestRecord(log: Pick<Log, 'read'>, range: RecordRange): Promise<StoredRecord | undefined>;
export async function newestRecord(log: Pick<Log, 'read'>, range: RecordRange): Promise<StoredRecord | undefined> {
  const newest: { record?: StoredRecord } = {};
  await forEachRecord(log, range, (record) => (newest.record = record));
  return newest.record;
}
