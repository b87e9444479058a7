// Lists and reads all partitions of a topic.
import { partitionCount } from '../../../domain/flow.ts';
import type { TopicName } from '../../../domain/flow.ts';
import type { RecordOn } from '../../../domain/messages-of.ts';
import type { Log } from '../../../log/log.ts';
import type { CheckedLog } from '../../loop/reading/checked-log.ts';
import { forEachRecord } from '../../loop/restoring/for-each-record.ts';

export const partitionsOf = (topic: TopicName, log: Pick<Log, 'partitions'>): readonly number[] =>
  Array.from({ length: partitionCount(topic, log.partitions) }, (_, partition) => partition);

type ReadLog = Pick<CheckedLog, 'read' | 'end' | 'partitions'>;

/** Reads every partition of the topic to its end. */
export async function readPartitions<T extends TopicName>(
  log: ReadLog,
  topic: T,
  take: (record: RecordOn<T>) => void,
): Promise<void> {
  for (const partition of partitionsOf(topic, log)) {
    await forEachRecord(log, { topic, partition, to: await log.end(topic, partition) }, take);
  }
}
