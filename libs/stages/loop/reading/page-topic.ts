// Determines which topic a task's page of records is from.
import type { TopicName } from '../../../domain/flow.ts';
import type { RecordOn } from '../../../domain/messages-of.ts';

/** A page is from one topic, so its first record decides. False for an empty page. */
export const areFromTopic = <T extends TopicName>(
  topic: T,
  records: readonly RecordOn[],
): records is readonly RecordOn<T>[] => records[0]?.topic === topic;
