// Reads from an offset that another record names: the records there can become readable a moment after that record.
import type { TopicName } from '../../../domain/flow.ts';
import type { PageBounds } from '../../../log/log.ts';
import type { CheckedLog } from './checked-log.ts';
import type { CheckedPage } from './unusable.ts';

export type PagesLog = Pick<CheckedLog, 'read' | 'settledEnd'>;

export interface PagesStart<T extends TopicName> {
  readonly topic: T;
  readonly partition: number;
  readonly from: number;
}

/** `first` bounds the first page, `further` the later ones, which are seldom needed: the offset is mostly exact. */
export interface PagesBounds {
  readonly first: PageBounds;
  readonly further: PageBounds;
}

/**
 * Pages up to the topic's end, until the caller has found what it looks for. Kafka shows the records of one append
 * partition by partition: at the end this waits once for the append that named the offset, and reads the rest. Throws
 * PortError and NewerRecordError.
 */
export async function* pagesFrom<T extends TopicName>(
  log: PagesLog,
  { topic, partition, from }: PagesStart<T>,
  { first, further }: PagesBounds,
): AsyncGenerator<CheckedPage<T>> {
  let bounds = first;
  let isSettled = false;
  for (let next = from; ;) {
    const page = await log.read(topic, partition, next, bounds);
    yield page;
    if (page.next > next) bounds = further;
    else if (isSettled) return;
    else {
      await log.settledEnd(topic, partition);
      isSettled = true;
    }
    next = Math.max(next, page.next);
  }
}
