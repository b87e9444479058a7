// Puts what was decided into records: topic, partition, key, and an id that repeating the decision gives again.
import { alertKey } from '../../domain/alert/alerts.ts';
import type { AlertEvent } from '../../domain/alert/messages.ts';
import type { SourceEvent, Trigger } from '../../domain/component/messages.ts';
import { partitionOf } from '../../domain/flow.ts';
import { derivedId } from '../../domain/id.ts';
import type { ListenerEvent } from '../../domain/listener/messages.ts';
import type { Decided, LogRecord, Millis } from '../../domain/message.ts';
import type { SavedEvent } from '../../domain/saved/messages.ts';
import { versionOf } from '../../domain/shape/version.ts';
import { sizes } from '../../domain/sizes.ts';
import type { KeyEvent, WorkspaceEvent } from '../../domain/workspace/messages.ts';
import type { Outgoing } from '../../log/log.ts';

export type LifecycleDecided =
  | Decided<AlertEvent>
  | Decided<WorkspaceEvent>
  | Decided<KeyEvent>
  | Decided<ListenerEvent>
  | Decided<SourceEvent>
  | Decided<SavedEvent>
  | Decided<Trigger>;

export interface Envelope {
  /** The record that all of it follows from. */
  readonly input: LogRecord;
  readonly at: Millis;
  /** The log's partition count. */
  readonly partitions: number;
}

type Place = Pick<Outgoing, 'topic' | 'partition'> & { readonly key: string };

/** Throws an Error for a record that is larger than the log takes. */
export function recordOf(decided: LifecycleDecided, envelope: Envelope): Outgoing {
  const { input, at, partitions } = envelope;
  const { topic, partition, key } = placeOf(decided, input.workspace, partitions);
  const record: LogRecord = {
    // By type and key, not by index: of a list that was cut short, the rest keeps its ids.
    id: derivedId('rec', input.id, decided.type, key),
    type: decided.type,
    version: versionOf(decided),
    key,
    data: decided.data,
    at,
    workspace: input.workspace,
    correlationId: input.correlationId,
    causationId: input.id,
  };
  const bytes = bytesOf(record);
  if (bytes > sizes.recordBytes) throw new Error(`${decided.type} of ${key} has ${bytes} bytes, too large for the log`);
  return { topic, partition, record };
}

export const bytesOf = (record: LogRecord): number => Buffer.byteLength(JSON.stringify(record));

function placeOf(decided: LifecycleDecided, workspace: string, partitions: number): Place {
  switch (decided.type) {
    case 'WorkspaceCreated':
    case 'ApiKeyAdded':
      return { topic: 'workspaces', partition: 0, key: workspace };
    case 'DataKeyAdded':
      return { topic: 'keys', partition: 0, key: workspace };
    case 'AlertRaised':
    case 'AlertContinued':
    case 'AlertEnded':
      return { topic: 'alerts', partition: 0, key: alertKey(decided.data) };
    case 'TriggerRequested':
      return ofSource('triggers', decided.data.sourceId, partitions);
    case 'SourceDeploying':
    case 'SourceConfigured':
    case 'SourceDeployed':
    case 'SourceDeployRefused':
    case 'SourceDeleting':
    case 'SourceDeleted':
    case 'SourceDeleteRefused':
    case 'SourceUpdating':
    case 'SourceSwapped':
    case 'SourceSwappedBack':
    case 'SourceUpdated':
    case 'SourceUpdateRefused':
      return ofSource('components', decided.data.sourceId, partitions);
    case 'ComponentSaving':
    case 'ComponentSaved':
    case 'ComponentSaveRefused':
      return ofSource('saves', decided.data.componentId, partitions);
    case 'ComponentFetched':
    case 'ComponentFetchRefused':
      return ofSource('saves', decided.data.fetchId, partitions);
    default:
      return { topic: 'listeners', partition: 0, key: listenerKey(decided.data) };
  }
}

const ofSource = (topic: 'triggers' | 'components' | 'saves', sourceId: string, partitions: number): Place => ({
  topic,
  partition: partitionOf(sourceId, partitions),
  key: sourceId,
});

function listenerKey(data: Decided<ListenerEvent>['data']): string {
  if ('subscriptionId' in data) return data.subscriptionId;
  if ('webhookId' in data) return data.webhookId;
  return 'listenerId' in data ? data.listenerId : data.emitterId;
}
