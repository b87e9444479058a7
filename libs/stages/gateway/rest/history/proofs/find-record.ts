// Finds one record by its id, without an index: its topic and time, if known, narrow the search.
import { partitionCount, type SignedTopic, signedTopics } from '../../../../../domain/flow.ts';
import type { Millis, StoredRecord } from '../../../../../domain/message.ts';
import { timeOfId } from '../../../../../domain/id.ts';
import { offsetAt } from '../../../../../log/offset-at.ts';
import type { Log } from '../../../../../log/log.ts';

export interface Sought {
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

type Searched = Pick<Log, 'read' | 'end' | 'partitions'>;

/** Around the time in an id: the record is written as soon as the request is read, and clocks differ. */
const idSlackMs = 60_000;
/** Records of each partition that are searched, page by page. */
export const recordsSearchedMax = 1_000;
/** The same including those that are older than the record: a minute of a busy partition. */
const recordsReadMax = 20_000;
const page = { recordsMax: 250, bytesMax: 512 * 1024 };

export async function findRecord(log: Searched, sought: Sought): Promise<FoundRecord | undefined> {
  const when = whenOf(sought);
  const found = await findAround(log, sought, when);
  if (found !== undefined || when === undefined || sought.time !== undefined) return found;
  // The id of a timer's request has the time at which it was due, and the record can be much later.
  return findAround(log, sought, undefined);
}

async function findAround(log: Searched, sought: Sought, when: When | undefined): Promise<FoundRecord | undefined> {
  for (const topic of sought.topic === undefined ? signedTopics : [sought.topic]) {
    for (let partition = 0; partition < partitionCount(topic, log.partitions); partition += 1) {
      const record = await findIn(log, { topic, partition }, { ...sought, when });
      if (record !== undefined) return { topic, partition, record };
    }
  }
  return undefined;
}

interface Place {
  readonly topic: SignedTopic;
  readonly partition: number;
}

interface When {
  readonly from: Millis;
  readonly to: Millis;
  /** Older records are skipped, and do not count as searched. */
  readonly said: Millis;
}

function whenOf({ id, time }: Sought): When | undefined {
  if (time !== undefined) return { from: time, to: time, said: time };
  const at = timeOfId('req', id);
  return at === undefined ? undefined : { from: at - idSlackMs, to: at + idSlackMs, said: at };
}

interface SoughtWhen extends Pick<Sought, 'id' | 'workspace'> {
  readonly when: When | undefined;
}

async function findIn(
  log: Searched,
  place: Place,
  { id, workspace, when }: SoughtWhen,
): Promise<StoredRecord | undefined> {
  const { topic, partition } = place;
  const end = await log.end(topic, partition);
  let next = when === undefined ? Math.max(0, end - recordsSearchedMax) : await offsetAt(log, place, when.from);
  let searched = 0;
  for (let read = 0; next < end && searched < recordsSearchedMax && read < recordsReadMax;) {
    const { records, next: behind } = await log.read(topic, partition, next, { ...page, to: end });
    const found = records.find((record) => record.id === id && record.workspace === workspace);
    if (found !== undefined || records.length === 0) return found;
    if (when !== undefined && (records.at(-1)?.at ?? 0) > when.to) return undefined;
    read += records.length;
    searched += when === undefined ? records.length : records.filter(({ at }) => at >= when.said).length;
    next = behind;
  }
  return undefined;
}
