// Which topic the records are of that a task is handed.
import type { TopicName } from '../../../domain/flow.ts';
import type { RecordOn } from '../../../domain/messages-of.ts';

/** A page is of one topic, so its first record says what the others are. False for an empty one. */
export const areOf = <T extends TopicName>(topic: T, records: readonly RecordOn[]): records is readonly RecordOn<T>[] =>
  records[0]?.topic === topic;
