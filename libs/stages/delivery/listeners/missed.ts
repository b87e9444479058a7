// Finds events of a subscription that are already on the log when its definition is read.
import { matches } from '../../../domain/delivery/matching.ts';
import type { EmittedRecord } from '../cursors/buffer.ts';
import type { DeletionFact } from '../deletions/deletions.ts';
import type { TaskOptions } from '../options.ts';
import { alertMissing } from '../records/restore-cursors.ts';
import type { Subscription } from './subscription.ts';

/** One page of the events between a subscription's beginning and the tail. */
const pageBounds = { recordsMax: 512, bytesMax: 1024 * 1024 };

/** Reads up to the tail. A subscription that does not say where it begins gets nothing, and the operator is told. */
export async function eachMissed(
  { context: { log, partition }, alert }: Pick<TaskOptions, 'context' | 'alert'>,
  subscription: Subscription,
  to: () => number,
  found: {
    readonly missed: (record: EmittedRecord) => void;
    readonly deleted: (fact: DeletionFact) => void;
  },
): Promise<void> {
  const { base, workspace } = subscription;
  if (base === undefined) return alertMissing(subscription, alert);
  for (let from = base; from < to();) {
    const page = await log.read('channels', partition, from, { ...pageBounds, to: to() });
    for (const record of page.records) {
      if (record.workspace !== workspace) continue;
      if (record.type === 'EventsDeleted') found.deleted(record);
      else if (matches(subscription, record.data)) found.missed(record);
    }
    if (page.next <= from) return;
    from = page.next;
  }
}
