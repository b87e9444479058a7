// What a commit has put into the log, as the tails of this process are given it.
import type { TopicName } from '../../../domain/flow.ts';
import type { LogRecord } from '../../../domain/message.ts';
import type { Encoded } from '../../appending/encoding.ts';

/** Where a commit has put a record: its text, or what it was made of, to which only its place is to be added. */
export interface Arrived {
  readonly offset: number;
  readonly content: string | LogRecord;
  readonly bytes: number;
}

interface Together {
  readonly topic: TopicName;
  readonly partition: number;
  readonly records: Encoded[];
}

/** In order, those that follow each other in one partition as one: what is looked up for it is looked up once. */
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

/** Of a final record nothing but its place is new; of another only the text says what it was when it was appended. */
export function arrivedAt({ record, text, bytes, isFinal }: Encoded, offset: number): Arrived {
  return { offset, bytes, content: isFinal ? record : text };
}
