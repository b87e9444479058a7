// Which messages stand on which topic, with a sentence for each: the types come from the domain, the compiler asks for all.
import type { TopicName } from '../../../libs/domain/flow.ts';
import type { AlertCommand, AlertEvent } from '../../../libs/domain/alert/messages.ts';
import type {
  ChannelEvent,
  DeletionRequest,
  LogsRequest,
  RunEvent,
  StateEvent,
} from '../../../libs/domain/channel/messages.ts';
import type {
  AnswerEvent,
  DefinitionsEvent,
  SourceDefinition,
  SubscriptionDefinition,
  WebhookDefinition,
} from '../../../libs/domain/definition/messages.ts';
import type { PendingEvent } from '../../../libs/domain/emit/messages.ts';
import type { HookEvent, SourceCommand, SourceEvent, Trigger } from '../../../libs/domain/component/messages.ts';
import type { CursorEvent, DeliveryEvent } from '../../../libs/domain/delivery/messages.ts';
import type { ListenerCommand, ListenerEvent } from '../../../libs/domain/listener/messages.ts';
import type { KeyEvent, WorkspaceCommand, WorkspaceEvent } from '../../../libs/domain/workspace/messages.ts';
import type { RetentionEvent } from '../../../libs/domain/retention/messages.ts';
import type {
  CodeCommand,
  CodeFetched,
  SavedCommand,
  SavedDefinition,
  SavedEvent,
} from '../../../libs/domain/saved/messages.ts';
import type { ScheduleEvent } from '../../../libs/domain/timer/messages.ts';
import type { MarkMoved } from '../../../libs/log/appending/mark-record.ts';

/** Each union under the name that its file exports it by. */
interface Unions {
  WorkspaceCommand: WorkspaceCommand;
  WorkspaceEvent: WorkspaceEvent;
  KeyEvent: KeyEvent;
  SourceCommand: SourceCommand;
  SourceEvent: SourceEvent;
  Trigger: Trigger;
  DeletionRequest: DeletionRequest;
  LogsRequest: LogsRequest;
  HookEvent: HookEvent;
  CodeCommand: CodeCommand;
  CodeFetched: CodeFetched;
  SavedCommand: SavedCommand;
  SavedEvent: SavedEvent;
  SavedDefinition: SavedDefinition;
  ListenerCommand: ListenerCommand;
  ListenerEvent: ListenerEvent;
  SourceDefinition: SourceDefinition;
  WebhookDefinition: WebhookDefinition;
  SubscriptionDefinition: SubscriptionDefinition;
  DefinitionsEvent: DefinitionsEvent;
  AnswerEvent: AnswerEvent;
  ChannelEvent: ChannelEvent;
  RunEvent: RunEvent;
  StateEvent: StateEvent;
  DeliveryEvent: DeliveryEvent;
  CursorEvent: CursorEvent;
  AlertCommand: AlertCommand;
  AlertEvent: AlertEvent;
  RetentionEvent: RetentionEvent;
  ScheduleEvent: ScheduleEvent;
  PendingEvent: PendingEvent;
  MarkMoved: MarkMoved;
}
export type UnionName = keyof Unions;
export type MessageType = Unions[UnionName]['type'];

/** Below libs/. */
export const files: Readonly<Record<UnionName, string>> = {
  WorkspaceCommand: 'domain/workspace/messages.ts',
  WorkspaceEvent: 'domain/workspace/messages.ts',
  KeyEvent: 'domain/workspace/messages.ts',
  SourceCommand: 'domain/component/messages.ts',
  SourceEvent: 'domain/component/messages.ts',
  Trigger: 'domain/component/messages.ts',
  DeletionRequest: 'domain/channel/messages.ts',
  LogsRequest: 'domain/channel/messages.ts',
  HookEvent: 'domain/component/messages.ts',
  ListenerCommand: 'domain/listener/messages.ts',
  ListenerEvent: 'domain/listener/messages.ts',
  CodeCommand: 'domain/saved/messages.ts',
  CodeFetched: 'domain/saved/messages.ts',
  SavedCommand: 'domain/saved/messages.ts',
  SavedEvent: 'domain/saved/messages.ts',
  SavedDefinition: 'domain/saved/messages.ts',
  SourceDefinition: 'domain/definition/messages.ts',
  WebhookDefinition: 'domain/definition/messages.ts',
  SubscriptionDefinition: 'domain/definition/messages.ts',
  DefinitionsEvent: 'domain/definition/messages.ts',
  AnswerEvent: 'domain/definition/messages.ts',
  ChannelEvent: 'domain/channel/messages.ts',
  RunEvent: 'domain/channel/messages.ts',
  PendingEvent: 'domain/emit/messages.ts',
  StateEvent: 'domain/channel/messages.ts',
  DeliveryEvent: 'domain/delivery/messages.ts',
  CursorEvent: 'domain/delivery/messages.ts',
  AlertCommand: 'domain/alert/messages.ts',
  AlertEvent: 'domain/alert/messages.ts',
  RetentionEvent: 'domain/retention/messages.ts',
  ScheduleEvent: 'domain/timer/messages.ts',
  MarkMoved: 'log/appending/mark-record.ts',
};

interface TopicText {
  readonly about: string;
  readonly unions: readonly UnionName[];
}

const marksOf = (stage: string): TopicText => ({
  about: `How far ${stage} has come: one record for each owned partition, in the same transaction as what it yielded.`,
  unions: ['MarkMoved'],
});

export const topicTexts: Readonly<Record<TopicName, TopicText>> = {
  commands: {
    about: 'What somebody wants done about workspaces, components, sources, webhooks, subscriptions and alerts.',
    unions: ['WorkspaceCommand', 'SourceCommand', 'SavedCommand', 'CodeCommand', 'ListenerCommand', 'AlertCommand'],
  },
  triggers: {
    about:
      'What starts runs of sources, requests to endpoints and hooks among it, and requests to delete their events.',
    unions: ['Trigger', 'DeletionRequest', 'LogsRequest'],
  },
  workspaces: { about: 'Workspaces and the hashes of their API keys.', unions: ['WorkspaceEvent'] },
  keys: { about: "Each workspace's data key, wrapped by the master key; it seals the secrets.", unions: ['KeyEvent'] },
  components: { about: 'The life of sources: deployed, updated, refused, deleted.', unions: ['SourceEvent'] },
  saves: { about: 'The life of saved components, with their code.', unions: ['SavedEvent'] },
  listeners: { about: 'The life of webhooks and subscriptions.', unions: ['ListenerEvent'] },
  sources: {
    about: 'Each source as it is now: what stages restore from. Its code, manifest and props stand on `components`.',
    unions: ['SourceDefinition', 'DefinitionsEvent'],
  },
  saved: { about: 'Each saved component as it is now: what lifecycle restores from.', unions: ['SavedDefinition'] },
  webhooks: { about: 'Each webhook as it is now.', unions: ['WebhookDefinition', 'DefinitionsEvent'] },
  subscriptions: {
    about: "Each subscription as it is now, in its emitter's partition; one to every source stands in each.",
    unions: ['SubscriptionDefinition', 'DefinitionsEvent'],
  },
  answers: {
    about: 'What Idempotency-Keys led to that is gone meanwhile, for 24 hours.',
    unions: ['AnswerEvent'],
  },
  alerts: { about: 'What an operator should see to: raised once, until it is over.', unions: ['AlertEvent'] },
  retention: {
    about: 'How far back events, runs, triggers, hooks and deliveries are kept.',
    unions: ['RetentionEvent'],
  },
  schedules: { about: 'When the timer of each source is due.', unions: ['ScheduleEvent'] },
  channels: { about: 'What sources emit. This is the topic to consume events from.', unions: ['ChannelEvent'] },
  runs: { about: 'One record for each run: how it ended, its console, what it emitted.', unions: ['RunEvent'] },
  pending: {
    about: 'What sources have emitted for a later time, until then; channel `$in` is its view.',
    unions: ['PendingEvent'],
  },
  hooks: { about: 'How describing a component and its deploy hooks ended.', unions: ['HookEvent', 'CodeFetched'] },
  state: { about: "Each source's own memory: its db, its dedupe memory, its counters.", unions: ['StateEvent'] },
  deliveries: {
    about: 'Every attempt to deliver an event to a webhook, and each event given to a source that listens.',
    unions: ['DeliveryEvent'],
  },
  cursors: {
    about: 'How far each subscription is with each emitter, and what was deleted on its way.',
    unions: ['CursorEvent'],
  },
  'marks.lifecycle': marksOf('lifecycle'),
  'marks.scheduler': marksOf('scheduler'),
  'marks.runtime': marksOf('runtime'),
  'marks.delivery': marksOf('delivery'),
};

export const messageTexts: Readonly<Record<MessageType, string>> = {
  CreateWorkspace: 'Make the workspace with its first API key and data key; sent at every start until it stands.',
  WorkspaceCreated: 'The workspace exists, and its owner.',
  ApiKeyAdded: 'An API key may be used; only its hash is kept.',
  DataKeyAdded: "The workspace's secrets are sealed with this key.",
  DeploySource: 'Deploy a component as a source.',
  DeleteSource: 'Delete a source.',
  SourceDeploying: 'A deploy has begun; from here on the endpoint is taken.',
  SourceConfigured: 'The component was described and its props were accepted: this revision can run.',
  SourceDeployed: 'The deploy has succeeded.',
  SourceDeployRefused: 'The deploy has failed or was refused, with the reason.',
  FetchComponent: 'Fetch the code of a component by its URL.',
  CodeFetched: 'Code was fetched by its URL.',
  ComponentFetched: 'The code that somebody waits for was fetched by its URL.',
  ComponentFetchRefused: 'Fetching has failed, with the reason, or is not needed any more.',
  SaveComponent: 'Save a component, for sources to be deployed from.',
  ComponentSaving: 'Saving has begun: the code is described.',
  ComponentSaved: 'The component was described and is saved.',
  ComponentSaveRefused: 'Saving has failed or was refused, with the reason.',
  SavedDefined: 'A saved component as it is now; without data there is none.',
  UpdateSource: 'Change a source, or make it active or inactive.',
  SourceUpdating: 'An update has begun; what is not named stays.',
  SourceSwapped: 'From here on the source runs on this revision.',
  SourceSwappedBack: 'The hook activate has thrown: from here on the source runs on the revision before again.',
  SourceUpdated: 'The update has succeeded.',
  SourceUpdateRefused: 'The update has failed or was refused, with the reason.',
  SourceDeleting: 'Deleting has begun.',
  SourceDeleted: 'The source is gone.',
  SourceDeleteRefused: 'Deleting was refused, with the reason.',
  EventDeletionRequested: 'Delete events of a source; it does not wait for its runs.',
  LogsRequested: 'From here on what runs print is told on `$logs`: a subscription to it stands.',
  TriggerRequested:
    'Run the source: for a request to its endpoint, for a tick of its timer, because somebody asked, or for a hook.',
  SourceDescribed: 'What the component says of itself.',
  HookSucceeded: 'A hook has run.',
  HookFailed: 'A hook has thrown.',
  CreateWebhook: 'Create a webhook.',
  DeleteWebhook: 'Delete a webhook.',
  DisableWebhook: 'Disable a webhook whose receiver answered 410.',
  CreateSubscription: 'Subscribe a webhook to an emitter.',
  DeleteSubscription: 'End a subscription.',
  WebhookCreated: 'The webhook exists.',
  WebhookCreateRefused: 'Creating the webhook was refused, with the reason.',
  WebhookDeleted: 'The webhook is gone, and with it its subscriptions.',
  WebhookDeleteRefused: 'Deleting the webhook was refused, with the reason.',
  WebhookDisabled: 'The webhook gets nothing any more.',
  WebhookDisableRefused: 'Disabling the webhook was refused, with the reason.',
  SubscriptionCreated: 'The subscription exists; every later event of its emitter is delivered.',
  SubscriptionCreateRefused: 'Subscribing was refused, with the reason.',
  ListenerGone: 'A source that subscriptions deliver to is gone, and they with it.',
  EmitterGone: 'A source is gone, and with it every subscription that names it.',
  SubscriptionDeleted: 'The subscription has ended by a command.',
  SubscriptionDeleteRefused: 'Ending the subscription was refused, with the reason.',
  SourceDefined: 'A source as it is now; without data there is none any more.',
  WebhookDefined: 'A webhook as it is now; without data it was deleted.',
  SubscriptionDefined: 'A subscription as it is now; without data it has ended.',
  DefinitionsFolded: 'All that the histories told before there were definitions stands in this partition.',
  AnswerKept: 'The record that a key led to is gone; without data the key is forgotten.',
  EventsDeleted:
    'Events that stand before this record are deleted: by the order of their ids, with both ends. They stay on this topic until retention takes them.',
  EventEmitted: 'A source has emitted an event.',
  RunFinished: 'A run has ended.',
  SourceStateSaved: "All that the source's next run depends on.",
  DeliveryAttempted: 'One HTTP call to a webhook, and how it ended.',
  DeliveryParked: 'An event that no attempt will be made for any more.',
  BaseCursorOpened: 'Where a subscription begins in this partition, as earlier programs wrote it.',
  CursorAdvanced: 'How far a subscription is with one emitter.',
  DeletionKept: 'Deleted events that a cursor has still to pass.',
  RetryWaiting: 'A delivery that waits for another attempt, apart from its cursor.',
  CursorMoved: 'How far a subscription is with one emitter, as earlier programs wrote it.',
  CursorClosed: 'The subscription was deleted.',
  RaiseAlert: 'Tell the operator of trouble; sent as often as it is met.',
  EndAlert: 'The trouble is over.',
  AlertRaised: 'An operator should see to something.',
  AlertContinued: 'It was raised again while it was live.',
  AlertEnded: 'The alert is over.',
  TimerScheduled: 'When a timer is due next, and whether the run of its last tick has ended; without data it is gone.',
  EmitDelayed: 'An event that is emitted at its time; without data it has been, or was cancelled.',
  RetentionMoved: 'What is older than this is given up.',
  MarkMoved: 'Everything below these positions is dealt with.',
};
