// Finds the time of the oldest record on the passing topics, where giving up records for the log's size begins.
import { partitionCount, expiringTopics } from '../../../domain/flow.ts';
import type { Millis } from '../../../domain/message.ts';
import type { Log } from '../../../log/log.ts';

/** Undefined: these topics are empty. */
export async function oldestRecord(log: Pick<Log, 'read' | 'partitions'>): Promise<Millis | undefined> {
  let oldest: Millis | undefined;
  for (const topic of expiringTopics) {
    for (let partition = 0; partition < partitionCount(topic, log.partitions); partition++) {
      const { records } = await log.read(topic, partition, 0, { recordsMax: 1, bytesMax: 1 });
      for (const { at } of records) oldest = Math.min(at, oldest ?? at);
    }
  }
  return oldest;
}
