// Makes records of decided events: topic, partition, key, and an id that is the same if the decision is repeated.
import { alertKey } from '../../domain/alert/alerts.ts';
import type { Trigger } from '../../domain/source/messages.ts';
import { partitionOf, topics } from '../../domain/flow.ts';
import type { Appends } from '../../domain/flow.ts';
import { derivedId } from '../../domain/id.ts';
import type { Decided, LogRecord, Millis } from '../../domain/message.ts';
import type { MessagesOf, TopicOf } from '../../domain/messages-of.ts';
import { versionOf } from '../../domain/record/record-version.ts';
import { sizes } from '../../domain/sizes.ts';
import { originOf } from '../../domain/trace/chain.ts';
import type { OutgoingOn } from '../../log/log.ts';

export type LifecycleOutgoing = OutgoingOn<Appends<'lifecycle'>>;

/** The topics of decided events. */
type SignedTopic = 'workspaces' | 'keys' | 'components' | 'saves' | 'listeners' | 'connections' | 'alerts';
/** All topics of what is decided. */
export type FactTopic = SignedTopic | 'triggers';

export type LifecycleDecided = Decided<MessagesOf[SignedTopic]> | Decided<Trigger>;

export interface Envelope {
  /** The record that the decision follows from. */
  readonly input: Pick<LogRecord, 'id' | 'workspace' | 'correlationId'>;
  readonly at: Millis;
  /** The log's partition count. */
  readonly partitions: number;
}

interface Place {
  readonly topic: FactTopic;
  readonly partition: number;
  readonly key: string;
}

/** It does not compile if a type is missing or has the wrong topic. */
const topicOf: { readonly [Type in LifecycleDecided['type']]: TopicOf<Type, FactTopic> } = {
  WorkspaceCreated: 'workspaces',
  ApiKeyAdded: 'workspaces',
  ApiKeyCreated: 'workspaces',
  ApiKeyCreateRefused: 'workspaces',
  ApiKeyDeleted: 'workspaces',
  ApiKeyDeleteRefused: 'workspaces',
  ApiKeyUsed: 'workspaces',
  SessionEnded: 'workspaces',
  SessionEndRefused: 'workspaces',
  DataKeyAdded: 'keys',
  AlertRaised: 'alerts',
  AlertContinued: 'alerts',
  AlertEnded: 'alerts',
  TriggerRequested: 'triggers',
  SourceDeploying: 'components',
  SourceConfigured: 'components',
  SourceDeployed: 'components',
  SourceDeployRefused: 'components',
  SourceDeleting: 'components',
  SourceDeleted: 'components',
  SourceDeleteRefused: 'components',
  SourceUpdating: 'components',
  SourceSwapped: 'components',
  SourceSwappedBack: 'components',
  SourceUpdated: 'components',
  SourceUpdateRefused: 'components',
  ComponentSaving: 'saves',
  ComponentSaved: 'saves',
  ComponentSaveRefused: 'saves',
  ComponentPublished: 'saves',
  ComponentUnpublished: 'saves',
  ComponentUnpublishRefused: 'saves',
  ComponentDeleted: 'saves',
  ComponentDeleteRefused: 'saves',
  ComponentFetched: 'saves',
  ComponentsFound: 'saves',
  ComponentFetchRefused: 'saves',
  WebhookCreated: 'listeners',
  WebhookCreateRefused: 'listeners',
  WebhookUpdated: 'listeners',
  WebhookUpdateRefused: 'listeners',
  WebhookKeyRegenerated: 'listeners',
  WebhookKeyRegenerateRefused: 'listeners',
  WebhookDeleted: 'listeners',
  WebhookDeleteRefused: 'listeners',
  WebhookDisabled: 'listeners',
  WebhookDisableRefused: 'listeners',
  SubscriptionCreated: 'listeners',
  SubscriptionCreateRefused: 'listeners',
  SubscriptionUpdated: 'listeners',
  SubscriptionUpdateRefused: 'listeners',
  EmitterGone: 'listeners',
  ListenerGone: 'listeners',
  SubscriptionDeleted: 'listeners',
  SubscriptionDeleteRefused: 'listeners',
  AccountCreated: 'connections',
  AccountCreateRefused: 'connections',
  AccountUpdated: 'connections',
  AccountUpdateRefused: 'connections',
  AccountDeleted: 'connections',
  AccountDeleteRefused: 'connections',
};

/** Throws an Error for a record that is larger than the log takes. */
export function recordOf(decided: LifecycleDecided, envelope: Envelope): OutgoingOn<FactTopic> {
  const { input, at, partitions } = envelope;
  const { topic, partition, key } = placeOf(decided, input.workspace, partitions);
  const record: LogRecord = {
    // From type and key, not from the index: when a list gets shorter, the remaining records keep their ids.
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
  // `topicOf` has checked that the topic has this type.
  return { topic, partition, record } as OutgoingOn<FactTopic>;
}

/** The record's size as JSON, with the fields that the log adds. */
export const bytesOf = (record: LogRecord): number =>
  Buffer.byteLength(JSON.stringify({ ...record, ...originOf(record) }));

function placeOf(decided: LifecycleDecided, workspace: string, partitions: number): Place {
  const topic = topicOf[decided.type];
  const key = keyOf(decided, workspace);
  return { topic, partition: topics[topic].partitions === 'one' ? 0 : partitionOf(key, partitions), key };
}

function keyOf({ type, data }: LifecycleDecided, workspace: string): string {
  if ('componentId' in data) return data.componentId;
  if ('fetchId' in data) return data.fetchId;
  switch (type) {
    case 'WorkspaceCreated':
    case 'ApiKeyAdded':
    case 'ApiKeyCreated':
    case 'ApiKeyCreateRefused':
    case 'ApiKeyDeleted':
    case 'ApiKeyDeleteRefused':
    case 'ApiKeyUsed':
    case 'SessionEnded':
    case 'SessionEndRefused':
    case 'DataKeyAdded':
      return workspace;
    case 'AlertRaised':
    case 'AlertContinued':
    case 'AlertEnded':
      return alertKey(data);
    case 'AccountCreated':
    case 'AccountCreateRefused':
    case 'AccountUpdated':
    case 'AccountUpdateRefused':
    case 'AccountDeleted':
    case 'AccountDeleteRefused':
      return data.accountId;
    case 'WebhookCreated':
    case 'WebhookCreateRefused':
    case 'WebhookUpdated':
    case 'WebhookUpdateRefused':
    case 'WebhookKeyRegenerated':
    case 'WebhookKeyRegenerateRefused':
    case 'WebhookDeleted':
    case 'WebhookDeleteRefused':
    case 'WebhookDisabled':
    case 'WebhookDisableRefused':
      return data.webhookId;
    case 'SubscriptionCreated':
    case 'SubscriptionCreateRefused':
    case 'SubscriptionUpdated':
    case 'SubscriptionUpdateRefused':
    case 'SubscriptionDeleted':
      return data.subscriptionId;
    case 'ListenerGone':
    case 'SubscriptionDeleteRefused':
      return data.listenerId;
    case 'EmitterGone':
      return data.emitterId;
    default:
      return data.sourceId;
  }
}
