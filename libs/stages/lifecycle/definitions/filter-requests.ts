// Asks runtime to put a change of a subscription's filter or transform among the events: on `triggers` (decision 0062).
import type { FilterChangeRequest } from '../../../domain/channel/messages.ts';
import { derivedId } from '../../../domain/id.ts';
import type { ListenerEvent } from '../../../domain/listener/messages.ts';
import { versionOf } from '../../../domain/record/record-version.ts';
import type { OutgoingOn } from '../../../log/log.ts';

type Updated = Extract<ListenerEvent, { readonly type: 'SubscriptionUpdated' }>;

/** One in each partition of its sources. `number`: of the change. */
export function filterRequests(
  updated: Updated,
  number: number,
  partitions: readonly number[],
): readonly OutgoingOn<'triggers'>[] {
  const { id, at, workspace, correlationId, data: changed } = updated;
  const { subscriptionId } = changed;
  const type = 'FilterChangeRequested';
  const data: FilterChangeRequest['data'] = { subscriptionId, version: number };
  const version = versionOf({ type, data });
  const envelope = { version, key: subscriptionId, at, workspace, correlationId, causationId: id };
  return partitions.map((partition) => ({
    topic: 'triggers',
    partition,
    record: { id: derivedId('rec', id, type, partition), type, ...envelope, data },
  }));
}
