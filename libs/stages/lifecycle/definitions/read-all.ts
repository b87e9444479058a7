// Reads one partition up to an offset, page by page.
import { partitionCount } from '../../../domain/flow.ts';
import type { TopicName } from '../../../domain/flow.ts';
import type { StoredRecord } from '../../../domain/message.ts';
import type { Log } from '../../../log/log.ts';

/** Small enough to let the process breathe between pages, since components hold their code. */
const pageBounds = { recordsMax: 1_000, bytesMax: 4 * 1024 * 1024 };

export const partitionsOf = (topic: TopicName, log: Pick<Log, 'partitions'>): readonly number[] =>
  Array.from({ length: partitionCount(topic, log.partitions) }, (_, partition) => partition);

interface Range {
  readonly topic: TopicName;
  readonly partition: number;
  /** Exclusive. */
  readonly to: number;
}

export async function readAll(log: Log, range: Range, take: (record: StoredRecord) => void): Promise<void> {
  const { topic, partition, to } = range;
  for (let from = 0; from < to;) {
    const page = await log.read(topic, partition, from, { ...pageBounds, to });
    for (const record of page.records) take(record);
    if (page.next <= from) return;
    from = page.next;
  }
}

/** To the ends of all its partitions. */
export async function readPartitions(log: Log, topic: TopicName, take: (record: StoredRecord) => void): Promise<void> {
  for (const partition of partitionsOf(topic, log)) {
    await readAll(log, { topic, partition, to: await log.end(topic, partition) }, take);
  }
}
