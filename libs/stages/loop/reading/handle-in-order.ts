// Hands a page to a task in the order of offsets: runs of usable records, and the malformed ones between them.
import type { TopicName } from '../../../domain/flow.ts';
import type { RecordsOn } from '../../../domain/messages-of.ts';
import type { CheckedPageOn, MalformedRecord } from './unusable.ts';

/** `next`: the offset after the records that are passed. */
interface PageHandler {
  handle(records: RecordsOn<TopicName>, next: number): Promise<void> | void;
  skipMalformed(malformed: MalformedRecord, next: number): Promise<void> | void;
}

export async function handleInOrder({ records, malformed, next }: CheckedPageOn, task: PageHandler): Promise<void> {
  let from = 0;
  for (const [i, one] of malformed.entries()) {
    let to = from;
    while ((records[to]?.offset ?? Infinity) < one.offset) to++;
    if (to > from) await task.handle(records.slice(from, to), one.offset);
    from = to;
    const isLast = i === malformed.length - 1 && from === records.length;
    await task.skipMalformed(one, isLast ? next : one.offset + 1);
  }
  if (from < records.length || malformed.length === 0) await task.handle(records.slice(from), next);
}
