// Events of a subscription that stand on the log already when it is heard of.
import type { ChannelEvent } from '../../../domain/channel/messages.ts';
import { matches } from '../../../domain/delivery/matching.ts';
import type { StoredRecord } from '../../../domain/message.ts';
import type { TaskContext } from '../../loop/stage.ts';
import type { Subscription } from './subscription.ts';

/** One page of the events between a subscription's beginning and where the tail was when it was seen. */
const pageBounds = { recordsMax: 512, bytesMax: 1024 * 1024 };

export async function eachMissed(
  { log, partition }: Pick<TaskContext, 'log' | 'partition'>,
  subscription: Subscription,
  { from: base, to }: { readonly from: number; readonly to: () => number },
  missed: (record: StoredRecord<ChannelEvent>) => void,
): Promise<void> {
  for (let from = base; from < to();) {
    const page = await log.read('channels', partition, from, { ...pageBounds, to: to() });
    for (const record of page.records as readonly StoredRecord<ChannelEvent>[])
      if (record.workspace === subscription.workspace && matches(subscription, record.data)) missed(record);
    if (page.next <= from) return;
    from = page.next;
  }
}
