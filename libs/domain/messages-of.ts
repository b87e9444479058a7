// The message types of each topic, from which the types of reads, appends, views and shapes follow.
import type { AccountCommand, AccountDefinition, AccountEvent } from './account/messages.ts';
import type { AlertCommand, AlertEvent } from './alert/messages.ts';
import type {
  ChannelEvent,
  DeletionRequest,
  FilterChangeRequest,
  LogsRequest,
  RunEvent,
  StateEvent,
} from './channel/messages.ts';
import type { AuditCommand, CheckpointEvent, TreeEvent } from './audit/messages.ts';
import type { BundleEvent, BundleUseEvent } from './component/bundle/messages.ts';
import type { HookEvent, SourceCommand, SourceEvent, Trigger, CodeFetched } from './source/messages.ts';
import type { AnswerEvent, DefinitionsEvent } from './definition/messages.ts';
import type { FilterDefinition, SubscriptionDefinition, WebhookDefinition } from './listener/definition/messages.ts';
import type { SourceDefinition } from './source/definition/messages.ts';
import type { CursorEvent, DeliveryEvent } from './delivery/messages.ts';
import type { IndexEvent } from './delivery/indexing/messages.ts';
import type { DeliveryRequest, ReplayEvent } from './delivery/replay/messages.ts';
import type { TransformRequest } from './delivery/transform/messages.ts';
import type { PendingEvent } from './pending/messages.ts';
import type { TopicName } from './flow.ts';
import type { ListenerCommand, ListenerEvent } from './listener/messages.ts';
import type { MarkMoved } from './mark/messages.ts';
import type { Tombstone } from './message.ts';
import type { PublishRequest, RecentIdsEvent } from './publish/messages.ts';
import type { RetentionEvent } from './retention/messages.ts';
import type { CodeCommand, SavedCommand, SavedDefinition, SavedEvent } from './saved/messages.ts';
import type { StoreEvent, StoreRequest } from './store/messages.ts';
import type { ScheduleEvent } from './timer/messages.ts';
import type { KeyEvent, WorkspaceCommand, WorkspaceEvent } from './workspace/messages.ts';

/** The compiler reports a topic of flow.ts that is missing here. */
export interface MessagesOf {
  commands:
    | WorkspaceCommand
    | SourceCommand
    | SavedCommand
    | CodeCommand
    | ListenerCommand
    | AccountCommand
    | AlertCommand
    | AuditCommand;
  triggers: Trigger | DeletionRequest | FilterChangeRequest | LogsRequest | PublishRequest | StoreRequest;
  requests: DeliveryRequest | TransformRequest;
  workspaces: WorkspaceEvent;
  keys: KeyEvent;
  components: SourceEvent;
  saves: SavedEvent;
  listeners: ListenerEvent;
  connections: AccountEvent;
  sources: SourceDefinition | DefinitionsEvent;
  saved: SavedDefinition;
  webhooks: WebhookDefinition | DefinitionsEvent;
  subscriptions: SubscriptionDefinition | FilterDefinition | DefinitionsEvent;
  accounts: AccountDefinition;
  answers: AnswerEvent;
  alerts: AlertEvent;
  retention: RetentionEvent;
  schedules: ScheduleEvent;
  channels: ChannelEvent;
  runs: RunEvent;
  pending: PendingEvent;
  hooks: HookEvent | CodeFetched;
  state: StateEvent | RecentIdsEvent | BundleUseEvent;
  bundles: BundleEvent;
  stores: StoreEvent;
  deliveries: DeliveryEvent;
  cursors: CursorEvent;
  replays: ReplayEvent;
  indexes: IndexEvent;
  checkpoints: CheckpointEvent;
  trees: TreeEvent;
  'marks.lifecycle': MarkMoved;
  'marks.scheduler': MarkMoved;
  'marks.runtime': MarkMoved;
  'marks.delivery': MarkMoved;
  'marks.audit': MarkMoved;
}

/** The topics on which a record without data deletes its key, like Kafka's tombstones. */
export const erasableTopics = [
  'keys',
  'state',
  'bundles',
  'stores',
  'cursors',
  'replays',
  'indexes',
  'sources',
  'saved',
  'webhooks',
  'subscriptions',
  'accounts',
  'answers',
  'schedules',
  'pending',
] as const satisfies readonly TopicName[];
type ErasableTopic = (typeof erasableTopics)[number];

type MessageOnEach = {
  [T in TopicName]: T extends ErasableTopic ? MessagesOf[T] | Tombstone<MessagesOf[T]> : MessagesOf[T];
};

/** The messages of a topic, and tombstones if the topic has them. */
export type MessageOn<T extends TopicName> = MessageOnEach[T];

/** The topics of a message type. */
export type TopicOf<Type extends string, Among extends TopicName = TopicName> = {
  [T in Among]: Type extends MessagesOf[T]['type'] ? T : never;
}[Among];

type RecordOnEach = {
  [T in TopicName]: MessageOnEach[T] & { readonly topic: T; readonly partition: number; readonly offset: number };
};

/** A record of the topic as the log returns it, after its shape was checked. */
export type RecordOn<T extends TopicName = TopicName> = RecordOnEach[T];

type RecordsOnEach = { [T in TopicName]: readonly RecordOnEach[T][] };

/** Records of one of the topics. */
export type RecordsOn<T extends TopicName = TopicName> = RecordsOnEach[T];
