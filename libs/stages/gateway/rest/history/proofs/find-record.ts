// Finds one record by its id, without an index: its topic and time, if known, narrow the search.
import { partitionCount, type SignedTopic, signedTopics } from '../../../../../domain/flow.ts';
import type { Millis, StoredRecord } from '../../../../../domain/message.ts';
import { timeOfId } from '../../../../../domain/id.ts';
import { offsetAt } from '../../../../../log/offset-at.ts';
import type { Log } from '../../../../../log/log.ts';

export interface RecordQuery {
  readonly id: string;
  readonly workspace: string;
  readonly topic: SignedTopic | undefined;
  /** The record's time. Without it, and without an id that contains it, only the newest records are searched. */
  readonly time: Millis | undefined;
}

export interface FoundRecord {
  readonly topic: SignedTopic;
  readonly partition: number;
  readonly record: StoredRecord;
}

type SearchableLog = Pick<Log, 'read' | 'end' | 'partitions'>;

/** Around the time in an id: the record is written as soon as the request is read, and clocks differ. */
const idSlackMs = 60_000;
/** Records of each partition that are searched, page by page. */
export const recordsSearchedMax = 1_000;
/** The same including those that are older than the record: a minute of a busy partition. */
const recordsReadMax = 20_000;
const page = { recordsMax: 250, bytesMax: 512 * 1024 };

export async function findRecord(log: SearchableLog, query: RecordQuery): Promise<FoundRecord | undefined> {
  const window = timeWindowOf(query);
  const found = await searchPartitions(log, query, window);
  if (found !== undefined || window === undefined || query.time !== undefined) return found;
  // The id of a timer's request has the time at which it was due, and the record can be much later.
  return searchPartitions(log, query, undefined);
}

async function searchPartitions(
  log: SearchableLog,
  query: RecordQuery,
  window: TimeWindow | undefined,
): Promise<FoundRecord | undefined> {
  for (const topic of query.topic === undefined ? signedTopics : [query.topic]) {
    for (let partition = 0; partition < partitionCount(topic, log.partitions); partition += 1) {
      const record = await searchPartition(log, { topic, partition }, { ...query, window });
      if (record !== undefined) return { topic, partition, record };
    }
  }
  return undefined;
}

interface TopicPartition {
  readonly topic: SignedTopic;
  readonly partition: number;
}

interface TimeWindow {
  readonly from: Millis;
  readonly to: Millis;
  /** Older records are skipped, and do not count as searched. */
  readonly expectedAt: Millis;
}

function timeWindowOf({ id, time }: RecordQuery): TimeWindow | undefined {
  if (time !== undefined) return { from: time, to: time, expectedAt: time };
  const at = timeOfId('req', id);
  return at === undefined ? undefined : { from: at - idSlackMs, to: at + idSlackMs, expectedAt: at };
}

interface WindowedQuery extends Pick<RecordQuery, 'id' | 'workspace'> {
  readonly window: TimeWindow | undefined;
}

async function searchPartition(
  log: SearchableLog,
  topicPartition: TopicPartition,
  { id, workspace, window }: WindowedQuery,
): Promise<StoredRecord | undefined> {
  const { topic, partition } = topicPartition;
  const end = await log.end(topic, partition);
  let next =
    window === undefined ? Math.max(0, end - recordsSearchedMax) : await offsetAt(log, topicPartition, window.from);
  let searched = 0;
  for (let read = 0; next < end && searched < recordsSearchedMax && read < recordsReadMax;) {
    const { records, next: nextOffset } = await log.read(topic, partition, next, { ...page, to: end });
    const found = records.find((record) => record.id === id && record.workspace === workspace);
    if (found !== undefined || records.length === 0) return found;
    if (window !== undefined && (records.at(-1)?.at ?? 0) > window.to) return undefined;
    read += records.length;
    searched += window === undefined ? records.length : records.filter(({ at }) => at >= window.expectedAt).length;
    next = nextOffset;
  }
  return undefined;
}
