// Reads what stands of one partition, page by page, so that none of it must fit into memory as text.
import type { TopicName } from '../../../domain/flow.ts';
import type { StoredRecord } from '../../../domain/message.ts';
import type { RecordOn } from '../../../domain/messages-of.ts';
import type { Log } from '../../../log/log.ts';
import type { CheckedLog } from '../reading/checked-log.ts';

/** Few reads for a long topic, and small enough to let the process breathe between them: components hold their code. */
const pageBounds = { recordsMax: 1_000, bytesMax: 4 * 1024 * 1024 };

export interface Range<T extends TopicName = TopicName> {
  readonly topic: T;
  readonly partition: number;
  /** Without it from the beginning. */
  readonly from?: number;
  /** Exclusive; without it to the end. */
  readonly to?: number;
}

/** Gives every record in order, and at last the offset where reading goes on. Throws what reading throws. */
export function replay<T extends TopicName>(
  log: Pick<CheckedLog, 'read'>,
  range: Range<T>,
  take: (record: RecordOn<T>) => void,
): Promise<number>;
export function replay(log: Pick<Log, 'read'>, range: Range, take: (record: StoredRecord) => void): Promise<number>;
export async function replay(
  log: Pick<Log, 'read'>,
  { topic, partition, from = 0, to }: Range,
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

/** The last record there. */
export function newestIn<T extends TopicName>(
  log: Pick<CheckedLog, 'read'>,
  range: Range<T>,
): Promise<RecordOn<T> | undefined>;
export function newestIn(log: Pick<Log, 'read'>, range: Range): Promise<StoredRecord | undefined>;
export async function newestIn(log: Pick<Log, 'read'>, range: Range): Promise<StoredRecord | undefined> {
  const newest: { record?: StoredRecord } = {};
  await replay(log, range, (record) => (newest.record = record));
  return newest.record;
}
