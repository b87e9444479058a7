// Reads what stands of one partition, page by page, so that none of it must fit into memory as text.
import type { TopicName } from '../../../domain/flow.ts';
import type { PageBounds } from '../../../log/log.ts';

/** Few reads for a long topic, and small enough to let the process breathe between them: components hold their code. */
const pageBounds = { recordsMax: 1_000, bytesMax: 4 * 1024 * 1024 };

/** What `read` gives is what is taken. */
interface Reading<T extends TopicName, R> {
  readonly read: (
    topic: T,
    partition: number,
    from: number,
    bounds: PageBounds,
  ) => Promise<{ readonly records: readonly R[]; readonly next: number }>;
}

export interface Range<T extends TopicName = TopicName> {
  readonly topic: T;
  readonly partition: number;
  /** Without it from the beginning. */
  readonly from?: number;
  /** Exclusive; without it to the end. */
  readonly to?: number;
}

/** Gives every record in order, and at last the offset where reading goes on. Throws what reading throws. */
export async function replay<T extends TopicName, R>(
  log: Reading<T, R>,
  { topic, partition, from = 0, to }: Range<T>,
  take: (record: R) => void,
): Promise<number> {
  const bounds = to === undefined ? pageBounds : { ...pageBounds, to };
  let next = from;
  while (to === undefined || next < to) {
    const page = await log.read(topic, partition, next, bounds);
    for (const record of page.records) take(record);
    if (page.next <= next) break;
    next = page.next;
  }
  return next;
}

/** The last record there. */
export async function newestIn<T extends TopicName, R>(log: Reading<T, R>, range: Range<T>): Promise<R | undefined> {
  const newest: { record?: R } = {};
  await replay(log, range, (record) => (newest.record = record));
  return newest.record;
}
