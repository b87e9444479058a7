// Reads one partition up to an offset, page by page.
import { partitionCount } from '../../../domain/flow.ts';
import type { TopicName } from '../../../domain/flow.ts';
import type { RecordOn } from '../../../domain/messages-of.ts';
import type { Log } from '../../../log/log.ts';
import type { CheckedLog } from '../../loop/reading/checked-log.ts';

/** Small enough to let the process breathe between pages, since components hold their code. */
const pageBounds = { recordsMax: 1_000, bytesMax: 4 * 1024 * 1024 };

export const partitionsOf = (topic: TopicName, log: Pick<Log, 'partitions'>): readonly number[] =>
  Array.from({ length: partitionCount(topic, log.partitions) }, (_, partition) => partition);

type ReadLog = Pick<CheckedLog, 'read' | 'end' | 'partitions'>;

interface Range<T extends TopicName> {
  readonly topic: T;
  readonly partition: number;
  /** Exclusive. */
  readonly to: number;
}

export async function readAll<T extends TopicName>(
  log: ReadLog,
  range: Range<T>,
  take: (record: RecordOn<T>) => void,
): Promise<void> {
  const { topic, partition, to } = range;
  for (let from = 0; from < to;) {
    const page = await log.read(topic, partition, from, { ...pageBounds, to });
    for (const record of page.records) take(record);
    if (page.next <= from) return;
    from = page.next;
  }
}

/** To the ends of all its partitions. */
export async function readPartitions<T extends TopicName>(
  log: ReadLog,
  topic: T,
  take: (record: RecordOn<T>) => void,
): Promise<void> {
  for (const partition of partitionsOf(topic, log)) {
    await readAll(log, { topic, partition, to: await log.end(topic, partition) }, take);
  }
}
