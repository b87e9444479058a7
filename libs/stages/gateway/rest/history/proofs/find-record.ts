// Finds one record by its id: there is no index for that, so what is known of it narrows the search.
import { partitionCount, type SignedTopic, signedTopics } from '../../../../../domain/flow.ts';
import type { Millis, StoredRecord } from '../../../../../domain/message.ts';
import { offsetAt } from '../../../../../log/offset-at.ts';
import type { Log } from '../../../../../log/log.ts';

export interface Sought {
  readonly id: string;
  readonly workspace: string;
  readonly topic: SignedTopic | undefined;
  /** When the record was made. Without a time only the newest records are searched. */
  readonly time: Millis | undefined;
}

export interface FoundRecord {
  readonly topic: SignedTopic;
  readonly partition: number;
  readonly record: StoredRecord;
}

type Searched = Pick<Log, 'read' | 'end' | 'partitions'>;

/** Records of each partition that are searched, page by page. */
export const recordsSearchedMax = 1_000;
const page = { recordsMax: 250, bytesMax: 512 * 1024 };

export async function findRecord(log: Searched, sought: Sought): Promise<FoundRecord | undefined> {
  for (const topic of sought.topic === undefined ? signedTopics : [sought.topic]) {
    for (let partition = 0; partition < partitionCount(topic, log.partitions); partition += 1) {
      const record = await findIn(log, { topic, partition }, sought);
      if (record !== undefined) return { topic, partition, record };
    }
  }
  return undefined;
}

interface Place {
  readonly topic: SignedTopic;
  readonly partition: number;
}

async function findIn(log: Searched, place: Place, { id, workspace, time }: Sought): Promise<StoredRecord | undefined> {
  const { topic, partition } = place;
  const end = await log.end(topic, partition);
  let next = time === undefined ? Math.max(0, end - recordsSearchedMax) : await offsetAt(log, place, time);
  for (let searched = 0; next < end && searched < recordsSearchedMax;) {
    const { records, next: behind } = await log.read(topic, partition, next, { ...page, to: end });
    const found = records.find((record) => record.id === id && record.workspace === workspace);
    if (found !== undefined || records.length === 0) return found;
    if (time !== undefined && (records.at(-1)?.at ?? 0) > time) return undefined;
    searched += records.length;
    next = behind;
  }
  return undefined;
}
