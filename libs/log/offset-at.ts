// Finds the first offset of a partition at or after a time, by halving: some thirty reads of one record, on any log.
import type { TopicName } from '../domain/flow.ts';
import type { Millis } from '../domain/message.ts';
import type { Log } from './log.ts';

const singleRecord = { recordsMax: 1, bytesMax: 1 };

/**
 * Returns the offset of the first record at or after `time`, or the end if there is none. Records are assumed to be in
 * the order of their times: where a clock was set back, the result is one of the offsets at which `time` is passed.
 */
export async function offsetAt(
  log: Pick<Log, 'read' | 'end'>,
  { topic, partition }: { readonly topic: TopicName; readonly partition: number },
  time: Millis,
): Promise<number> {
  let from = 0;
  let to = await log.end(topic, partition);
  while (from < to) {
    const middle = from + Math.floor((to - from) / 2);
    const [record] = (await log.read(topic, partition, middle, { ...singleRecord, to })).records;
    if (record === undefined || record.at >= time) to = middle;
    else from = record.offset + 1;
  }
  return to;
}
