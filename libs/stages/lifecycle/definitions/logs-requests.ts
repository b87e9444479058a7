// Tells runtime about a new subscription to `$logs`: on `triggers`, before any trigger that is requested later.
import type { LogsRequest } from '../../../domain/channel/messages.ts';
import { logsChannel } from '../../../domain/run/logs-report.ts';
import { derivedId } from '../../../domain/id.ts';
import type { ListenerEvent } from '../../../domain/listener/messages.ts';
import { versionOf } from '../../../domain/record/record-version.ts';
import type { OutgoingOn } from '../../../log/log.ts';

type Created = Extract<ListenerEvent, { readonly type: 'SubscriptionCreated' }>;

/** One request in each partition of the subscription's sources; none for other channels. */
export function logsRequests(created: Created, partitions: readonly number[]): readonly OutgoingOn<'triggers'>[] {
  const { id, at, workspace, correlationId } = created;
  const { emitterId, eventName } = created.data;
  if (eventName !== logsChannel) return [];
  const type = 'LogsRequested';
  const data: LogsRequest['data'] = { emitterId };
  const envelope = {
    version: versionOf({ type, data }),
    key: emitterId,
    at,
    workspace,
    correlationId,
    causationId: id,
  };
  return partitions.map((partition) => ({
    topic: 'triggers',
    partition,
    record: { id: derivedId('rec', id, type, partition), type, ...envelope, data },
  }));
}
