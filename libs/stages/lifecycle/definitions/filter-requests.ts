// Requests on `triggers` that runtime records a change of a filter or transform between the events (decision 0062).
import type { FilterChangeRequest } from '../../../domain/channel/messages.ts';
import { derivedId } from '../../../domain/id.ts';
import type { ListenerEvent } from '../../../domain/listener/messages.ts';
import { versionOf } from '../../../domain/record/record-version.ts';
import type { OutgoingOn } from '../../../log/log.ts';

type Updated = Extract<ListenerEvent, { readonly type: 'SubscriptionUpdated' }>;

/** One request in each partition of the subscription's sources. `filterVersion`: that of the filter. */
export function filterRequests(
  updated: Updated,
  filterVersion: number,
  partitions: readonly number[],
): readonly OutgoingOn<'triggers'>[] {
  const { id, at, workspace, correlationId, data: changed } = updated;
  const { subscriptionId } = changed;
  const type = 'FilterChangeRequested';
  const data: FilterChangeRequest['data'] = { subscriptionId, version: filterVersion };
  const version = versionOf({ type, data });
  const envelope = { version, key: subscriptionId, at, workspace, correlationId, causationId: id };
  return partitions.map((partition) => ({
    topic: 'triggers',
    partition,
    record: { id: derivedId('rec', id, type, partition), type, ...envelope, data },
  }));
}
