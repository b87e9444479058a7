// Chooses the version that a record is written with: a higher one if an older program would misread the record.
import { isCall } from '../call/call.ts';
import { bundlesVersion, eventVersion, filesVersion } from '../source/source-version.ts';
import {
  deletedComponents,
  fetchVersion,
  foundVersion,
  publishedComponents,
  registry,
  savedVersion,
  saveVersion,
} from '../saved/saved-version.ts';
import type { RunEvent, StateEvent } from '../channel/messages.ts';
import { againSequence } from '../delivery/cursor.ts';
import {
  listeningSources,
  namesOwner,
  neededFilters,
  numberedChanges,
  ofAskedSubscription,
  ofFilters,
  ofSubscription,
} from '../delivery/filter/subscription-version.ts';
import { owners, transforms } from '../delivery/filter/subscription-version.ts';
import type { OfEmitter } from '../delivery/filter/subscription-version.ts';
import { isEverySource } from '../delivery/matching.ts';
import type { OpenDelivery } from '../delivery/messages.ts';
import { orderedByKeyVersion } from '../delivery/order/order-key.ts';
import { webhookVersion } from '../listener/webhook/webhook-version.ts';
import type { Trigger, TriggerKind } from '../source/messages.ts';
import type { LogRecord } from '../message.ts';
import type { MessagesOf } from '../messages-of.ts';
import { storeRules } from '../store/store-version.ts';
import type { CheckedTopic } from './verdict.ts';

/** An older program would run requests that must not run, or run them without the sealed body. */
const requestOptions = 2;
/** An older program would take it for a trigger of a deleted source. */
const savedComponents = 3;
/** An older program would refuse the emit in the trigger, and skip the run's record. */
const carriedEmits = 3;
/** An older program would refuse calls, and show and deliver samples as real events. */
const synchronousCalls = 4;
/** An older program would refuse the call of a form, and show it as a run of an unknown kind. */
const formCalls = 7;
/** An older program would take overtaken runs for finished ones. */
const overtakenRuns = 2;
/** An older program would deliver and show deleted events. */
const deletions = 2;
/** An older program would take it for an unreadable trigger, and record a run. */
const logsRequests = 4;
/** An older program would take attempts of a replay for those of the delivery. */
export const replayedVersion = 5;
/** An older program would refuse a request without the place of an event. */
const deletedParked = 10;
/** An older program would not count reopened deliveries as open, and would not know discarded ones. */
const actedOnVersion = 6;
/** An older program would not know the reason of the discard. */
const deletedDeliveries = 7;
/** An older program would take a request to publish for an unreadable trigger, and publish repeats again. */
const publishing = 5;
/** An older program would refuse existing keys, and admit deleted keys and ended sessions. */
const apiKeys = 6;
/** An older program would not know the scope, and refuse the key. */
const auditScope = 7;
/** An older program would not know the command, and would keep the key. */
const auditKeyChanges = 7;
/** An older program would look for a source with this id, and end the replay with nothing sent. */
const wideReplays = 6;

/** An older program would run components without their credentials, and delete an account that sources use. */
const accounts = 7;
/** An older program would take it for the end of a delivery. */
const filteredCounts = 7;
/** An older program would not continue the search, and would miss the events not found yet. */
const openings = 10;
/** An older program would not know these triggers and runs. */
const apphooks = 7;

type Message = MessagesOf[CheckedTopic];
type Type = Message['type'];
type DataOf<T extends Type> = Extract<Message, { readonly type: T }>['data'];
type Rule<T extends Type> = number | ((data: NonNullable<DataOf<T>>) => number);

/** The version of each type; the compiler reports a message type that is missing here. */
const rules: { readonly [T in Type]: Rule<T> } = {
  ...storeRules,
  AccountCreateRefused: 1,
  AccountCreated: accounts,
  AccountDefined: accounts,
  AccountDeleteRefused: 1,
  AccountDeleted: accounts,
  AccountUpdateRefused: 1,
  AccountUpdated: accounts,
  AlertContinued: 1,
  AlertEnded: 1,
  AlertRaised: 1,
  AnswerKept: ({ stands }) => (stands === true ? deletedComponents : 1),
  ApiKeyAdded: 1,
  ApiKeyCreateRefused: 1,
  ApiKeyCreated: ({ scopes }) => (scopes.includes('audit') ? auditScope : apiKeys),
  ApiKeyDeleteRefused: 1,
  ApiKeyDeleted: apiKeys,
  ApiKeyUsed: 1,
  AuditKeyMade: 1,
  BaseCursorOpened: 1,
  BundlePartSaved: bundlesVersion,
  BundleUsed: bundlesVersion,
  ChangeAuditKey: auditKeyChanges,
  CheckpointSigned: 1,
  CodeFetched: 1,
  ComponentDeleteRefused: 1,
  ComponentDeleted: deletedComponents,
  ComponentFetchRefused: 1,
  ComponentFetched: foundVersion,
  ComponentSaveRefused: 1,
  ComponentSaved: filesVersion,
  ComponentPublished: publishedComponents,
  ComponentSaving: saveVersion,
  ComponentUnpublishRefused: 1,
  ComponentUnpublished: publishedComponents,
  CreateAccount: accounts,
  CreateApiKey: ({ scopes }) => (scopes.includes('audit') ? auditScope : apiKeys),
  CreateSubscription: ofAskedSubscription,
  CreateWebhook: 1,
  CreateWorkspace: 1,
  CursorAdvanced: ({ orderedBy }) => (orderedBy === undefined ? 1 : orderedByKeyVersion),
  CursorClosed: 1,
  CursorMoved: 1,
  DataKeyAdded: 1,
  DefinitionsFolded: 1,
  DeleteAccount: accounts,
  DeleteApiKey: apiKeys,
  DeleteComponent: deletedComponents,
  DeleteSource: 1,
  DeleteSubscription: 1,
  DeleteWebhook: 1,
  DeletionKept: deletions,
  DeliveryAttempted: ofAttempt,
  DeliveryDiscardRequested: ({ offset }) => (offset === undefined ? deletedParked : actedOnVersion),
  DeliveryDiscarded: ({ by }) => (by === 'deletion' ? deletedDeliveries : actedOnVersion),
  DeliveryParked: ofAttempt,
  DeliveryReopened: actedOnVersion,
  DeliveryRetryRequested: actedOnVersion,
  DeploySource: (data) => eventVersion({ type: 'DeploySource', data }),
  DisableWebhook: 1,
  EmitDelayed: 1,
  EmitterGone: 1,
  EndAlert: 1,
  EndSession: apiKeys,
  EventDeletionRequested: deletions,
  EventEmitted: ({ sample }) => (sample === true ? synchronousCalls : 1),
  EventsDeleted: deletions,
  EventsFiltered: filteredCounts,
  EventsPublishRequested: publishing,
  ComponentsFound: foundVersion,
  ComponentsListed: registry,
  FetchComponent: fetchVersion,
  FilterChangeRequested: numberedChanges,
  FilterChanged: numberedChanges,
  FilterDefined: ofFilters,
  FiltersNeededRequested: neededFilters,
  FiltersPlaced: numberedChanges,
  HookFailed: ({ kind }) => ofKind[kind],
  HookSucceeded: ({ kind }) => ofKind[kind],
  IndexPartSaved: 1,
  KeyWaiting: orderedByKeyVersion,
  ListenerGone: listeningSources,
  LogsRequested: (data) => (namesOwner(data) ? owners : logsRequests),
  NoteApiKeyUse: 1,
  OpeningAdvanced: openings,
  RaiseAlert: 1,
  RecentIdsSaved: publishing,
  RegenerateWebhookKey: 1,
  ReplayAdvanced: ofReplay,
  ReplayCancelRequested: ofReplay,
  ReplayRequested: ofReplay,
  RetentionMoved: 1,
  RetryWaiting: ofWaiting,
  RunFinished: ofRun,
  SaveComponent: saveVersion,
  SavedDefined: savedVersion,
  SegmentIndexed: 1,
  SessionEndRefused: 1,
  SessionEnded: apiKeys,
  SourceConfigured: (data) => eventVersion({ type: 'SourceConfigured', data }),
  SourceDefined: 1,
  SourceDeleteRefused: (data) => eventVersion({ type: 'SourceDeleteRefused', data }),
  SourceDeleted: 1,
  SourceDeleting: 1,
  SourceDeployRefused: 1,
  SourceDeployed: (data) => eventVersion({ type: 'SourceDeployed', data }),
  SourceDeploying: (data) => eventVersion({ type: 'SourceDeploying', data }),
  SourceDescribed: (data) => eventVersion({ type: 'SourceDescribed', data }),
  SourceStateSaved: ofState,
  SourceSwapped: (data) => eventVersion({ type: 'SourceSwapped', data }),
  SourceSwappedBack: (data) => eventVersion({ type: 'SourceSwappedBack', data }),
  SourceUpdateRefused: (data) => eventVersion({ type: 'SourceUpdateRefused', data }),
  SourceUpdated: (data) => eventVersion({ type: 'SourceUpdated', data }),
  SourceUpdating: (data) => eventVersion({ type: 'SourceUpdating', data }),
  SubscriptionCreateRefused: 1,
  SubscriptionCreated: ofSubscription,
  SubscriptionDefined: ofSubscription,
  SubscriptionDeleteRefused: 1,
  SubscriptionDeleted: 1,
  SubscriptionUpdateRefused: ({ reason }) => (reason === 'filters_needed' ? neededFilters : 1),
  SubscriptionUpdated: (data) => (data.channelEnds === undefined ? numberedChanges : ofFilters(data)),
  TimerScheduled: 1,
  TransformTrialRequested: transforms,
  TreeMoved: 1,
  TriggerRequested: ofTrigger,
  UnpublishComponent: publishedComponents,
  UpdateSource: (data) => eventVersion({ type: 'UpdateSource', data }),
  UpdateAccount: accounts,
  UpdateSubscription: ofFilters,
  UpdateWebhook: 1,
  WebhookCreateRefused: 1,
  WebhookCreated: (data) => webhookVersion({ type: 'WebhookCreated', data }),
  WebhookDefined: (data) => webhookVersion({ type: 'WebhookDefined', data }),
  WebhookDeleteRefused: 1,
  WebhookDeleted: 1,
  WebhookDisableRefused: (data) => webhookVersion({ type: 'WebhookDisableRefused', data }),
  WebhookDisabled: 1,
  WebhookKeyRegenerateRefused: (data) => webhookVersion({ type: 'WebhookKeyRegenerateRefused', data }),
  WebhookKeyRegenerated: (data) => webhookVersion({ type: 'WebhookKeyRegenerated', data }),
  WebhookTestRequested: actedOnVersion,
  WebhookUpdateRefused: (data) => webhookVersion({ type: 'WebhookUpdateRefused', data }),
  WebhookUpdated: (data) => webhookVersion({ type: 'WebhookUpdated', data }),
  WorkspaceCreated: 1,
};

/** Types whose records keep their version even without data. */
const withoutData: ReadonlySet<string> = new Set<Type>([
  'ListenerGone',
  'EventDeletionRequested',
  'EventsDeleted',
  'DeletionKept',
]);

export function versionOf({ type, data }: Pick<LogRecord, 'type' | 'data'>): number {
  // The cast is safe: each rule gets the data of its own type.
  const rule = rules[type as Type] as number | ((data: unknown) => number) | undefined;
  if (rule === undefined) return 1;
  if (data !== undefined && data !== null) return typeof rule === 'number' ? rule : rule(data);
  return withoutData.has(type) && typeof rule === 'number' ? rule : 1;
}

/** For a replay of every source, an older program would look for a source with this id. */
function ofReplay({ emitterId }: OfEmitter): number {
  return isEverySource(emitterId) ? wideReplays : 1;
}

function ofAttempt({ replayId }: { readonly replayId?: string }): number {
  return replayId === undefined ? 1 : replayedVersion;
}

function ofWaiting({ sequence, orderKey }: Pick<OpenDelivery, 'sequence' | 'orderKey'>): number {
  if (sequence === againSequence) return actedOnVersion;
  return orderKey === undefined ? 1 : orderedByKeyVersion;
}

function ofState({ finishedBelow, overtaken }: StateEvent['data']): number {
  if (finishedBelow.publishes !== undefined) return publishing;
  return overtaken === undefined ? 1 : overtakenRuns;
}

function ofRun({ kind }: RunEvent['data']): number {
  if (isCall(kind)) return ofKind[kind];
  return kind === 'emit' ? carriedEmits : kind === 'apphook' || kind === 'event_names' ? apphooks : 1;
}

/** By kind alone, before other fields of the trigger. */
const ofKind: Readonly<Record<TriggerKind, number>> = {
  describe: 1,
  deploy: 1,
  activate: 1,
  deactivate: 1,
  http: 1,
  manual: 1,
  timer: 1,
  apphook: apphooks,
  event_names: apphooks,
  event: listeningSources,
  emit: carriedEmits,
  sample: synchronousCalls,
  configure: formCalls,
  props: formCalls,
};

function ofTrigger({ kind, http, code, url, find, ...more }: Trigger['data']): number {
  if (find !== undefined) return registry;
  const standsAlone = code !== undefined || url !== undefined;
  const wishes = http?.noRun === true || http?.sealedBody !== undefined;
  return Math.max(ofKind[kind], standsAlone ? savedComponents : 1, wishes ? requestOptions : 1, filesVersion(more));
}
