// The records that are written when a cursor's attempt or event has ended, with the topic and partition of each.
import type { AlertCommand } from '../../../domain/alert/messages.ts';
import type { Trigger } from '../../../domain/source/messages.ts';
import type { DeliveryEvent } from '../../../domain/delivery/messages.ts';
import { partitionOf } from '../../../domain/flow.ts';
import type { Appends } from '../../../domain/flow.ts';
import type { ListenerCommand } from '../../../domain/listener/messages.ts';
import type { OutgoingOn } from '../../../log/log.ts';

export type DisableWebhook = Extract<ListenerCommand, { readonly type: 'DisableWebhook' }>;
export type RaiseAlert = Extract<AlertCommand, { readonly type: 'RaiseAlert' }>;
export type CompletionRecord = DeliveryEvent | DisableWebhook | RaiseAlert | Trigger;

/** A record that waits for its cursor's append. */
export interface PendingRecord {
  readonly record: CompletionRecord;
  /** The record's number among all such records of a partition, in the order of creation. */
  readonly sequence: number;
}

/**
 * Attempts and the records that follow from them go only to the log, so they are final: many are encoded in turns, and
 * readers need not parse them. `partition`: the cursor's; `partitions`: the log's, since a listening source can be in
 * any of them.
 */
export function outgoingOf(
  record: CompletionRecord,
  { partition, partitions }: { readonly partition: number; readonly partitions: number },
): OutgoingOn<Appends<'delivery'>> {
  switch (record.type) {
    case 'DeliveryAttempted':
    case 'DeliveryParked':
    case 'DeliveryReopened':
    case 'DeliveryDiscarded':
    case 'EventsFiltered':
      return { topic: 'deliveries', partition, record, isFinal: true };
    case 'DisableWebhook':
    case 'RaiseAlert':
      return { topic: 'commands', partition: 0, record };
    case 'TriggerRequested':
      return { topic: 'triggers', partition: partitionOf(record.key, partitions), record };
  }
}
