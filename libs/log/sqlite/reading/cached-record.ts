// Newly committed records, in the form in which they are kept in memory for the tails of this process.
import type { TopicName } from '../../../domain/flow.ts';
import type { LogRecord, StoredRecord } from '../../../domain/message.ts';
import type { EncodedRecord } from '../../appending/encoding.ts';

/** A committed record. It is parsed at the first read, not before: an append can have thousands of records. */
export interface CachedRecord {
  readonly offset: number;
  readonly bytes: number;
  /** Its text, or the record itself without its topic and offset; undefined once it has been read or dropped. */
  content: string | LogRecord | undefined;
  /** The record as readers get it, from the first read on. */
  record: StoredRecord | undefined;
}

interface PartitionGroup {
  readonly topic: TopicName;
  readonly partition: number;
  readonly records: EncodedRecord[];
}

/** Groups adjacent records of the same partition, in order, so that look-ups are done once per group. */
export function groupAdjacent(encoded: readonly EncodedRecord[]): readonly PartitionGroup[] {
  const groups: PartitionGroup[] = [];
  for (const record of encoded) {
    const { topic, partition } = record;
    const last = groups.at(-1);
    if (last?.topic === topic && last.partition === partition) last.records.push(record);
    else groups.push({ topic, partition, records: [record] });
  }
  return groups;
}

/** A final record is kept itself. A record that can still change is kept as the text that was appended. */
export const cachedRecordOf = ({ record, text, bytes, isFinal }: EncodedRecord, offset: number): CachedRecord =>
  cachedRecord(offset, bytes, isFinal ? record : text);

export const cachedRecord = (offset: number, bytes: number, content: string | LogRecord): CachedRecord => ({
  offset,
  bytes,
  content,
  record: undefined,
});
