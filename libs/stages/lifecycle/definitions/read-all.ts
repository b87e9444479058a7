// The partitions of a topic, and what stands in all of them.
import { partitionCount } from '../../../domain/flow.ts';
import type { TopicName } from '../../../domain/flow.ts';
import type { StoredRecord } from '../../../domain/message.ts';
import type { Log } from '../../../log/log.ts';
import { replay } from '../../loop/restoring/replay.ts';

export const partitionsOf = (topic: TopicName, log: Pick<Log, 'partitions'>): readonly number[] =>
  Array.from({ length: partitionCount(topic, log.partitions) }, (_, partition) => partition);

/** To the ends of all its partitions. */
export async function readPartitions(log: Log, topic: TopicName, take: (record: StoredRecord) => void): Promise<void> {
  for (const partition of partitionsOf(topic, log)) {
    await replay(log, { topic, partition, to: await log.end(topic, partition) }, take);
  }
}
