// Newly committed records, in the form in which they are kept in memory for the tails of this process.
import type { TopicName } from '../../../domain/flow.ts';
import type { LogRecord, StoredRecord } from '../../../domain/message.ts';
import type { Encoded } from '../../appending/encoding.ts';

/** A committed record. It is parsed at the first read, not before: an append can have thousands of records. */
export interface Arrived {
  readonly offset: number;
  readonly bytes: number;
  /** Its text, or the record itself without its topic and offset; undefined once it has been read or dropped. */
  content: string | LogRecord | undefined;
  /** The record as readers get it, from the first read on. */
  record: StoredRecord | undefined;
}

interface Together {
  readonly topic: TopicName;
  readonly partition: number;
  readonly records: Encoded[];
}

/** Groups adjacent records of the same partition, in order, so that look-ups are done once per group. */
export function together(encoded: readonly Encoded[]): readonly Together[] {
  const all: Together[] = [];
  for (const one of encoded) {
    const { topic, partition } = one;
    const last = all.at(-1);
    if (last?.topic === topic && last.partition === partition) last.records.push(one);
    else all.push({ topic, partition, records: [one] });
  }
  return all;
}

/** A final record is kept itself. A record that can still change is kept as the text that was appended. */
export const arrivedAt = ({ record, text, bytes, isFinal }: Encoded, offset: number): Arrived =>
  arrived(offset, bytes, isFinal ? record : text);

export const arrived = (offset: number, bytes: number, content: string | LogRecord): Arrived => ({
  offset,
  bytes,
  content,
  record: undefined,
});
