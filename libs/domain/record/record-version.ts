// Chooses the version that a record is written with: a higher one if an older program would misread the record.
import { isCall } from '../call/call.ts';
import { bundlesVersion, versionOfSourceEvent, versionOfFiles } from '../source/source-version.ts';
import {
  deletedComponentsVersion,
  versionOfFetch,
  versionOfFound,
  publishedComponentsVersion,
  registryVersion,
  versionOfSaved,
  versionOfSave,
} from '../saved/saved-version.ts';
import type { RunEvent, StateEvent } from '../channel/messages.ts';
import { reopenedSequence } from '../delivery/cursor.ts';
import {
  listeningSourcesVersion,
  namesOwner,
  neededFiltersVersion,
  numberedChangesVersion,
  versionOfNewSubscription,
  versionOfFilters,
  versionOfSubscription,
} from '../delivery/filter/subscription-version.ts';
import { ownersVersion, transformsVersion } from '../delivery/filter/subscription-version.ts';
import type { HasEmitter } from '../delivery/filter/subscription-version.ts';
import { isEverySource } from '../delivery/matching.ts';
import type { OpenDelivery } from '../delivery/messages.ts';
import { orderedByKeyVersion } from '../delivery/order/order-key.ts';
import { versionOfWebhook } from '../listener/webhook/webhook-version.ts';
import type { Trigger, TriggerKind } from '../source/messages.ts';
import type { LogRecord } from '../message.ts';
import type { MessagesOf } from '../messages-of.ts';
import { storeVersions } from '../store/store-version.ts';
import type { CheckedTopic } from './check-record.ts';

/** An older program would run requests that must not run, or run them without the sealed body. */
const requestOptionsVersion = 2;
/** An older program would take it for a trigger of a deleted source. */
const savedComponentsVersion = 3;
/** An older program would refuse the emit in the trigger, and skip the run's record. */
const carriedEmitsVersion = 3;
/** An older program would refuse calls, and show and deliver samples as real events. */
const callsVersion = 4;
/** An older program would refuse the call of a form, and show it as a run of an unknown kind. */
const formCallsVersion = 7;
/** An older program would take overtaken runs for finished ones. */
const overtakenRunsVersion = 2;
/** An older program would deliver and show deleted events. */
const deletionsVersion = 2;
/** An older program would take it for an unreadable trigger, and record a run. */
const logsRequestsVersion = 4;
/** An older program would take attempts of a replay for those of the delivery. */
export const replayedVersion = 5;
/** An older program would refuse a request without the place of an event. */
const deletedParkedVersion = 10;
/** An older program would not count reopened deliveries as open, and would not know discarded ones. */
const actedOnVersion = 6;
/** An older program would not know the reason of the discard. */
const deletedDeliveriesVersion = 7;
/** An older program would take a request to publish for an unreadable trigger, and publish repeats again. */
const publishingVersion = 5;
/** An older program would refuse existing keys, and admit deleted keys and ended sessions. */
const apiKeysVersion = 6;
/** An older program would not know the scope, and refuse the key. */
const auditScopeVersion = 7;
/** An older program would not know the command, and would keep the key. */
const auditKeyChangesVersion = 7;
/** An older program would look for a source with this id, and end the replay with nothing sent. */
const wideReplaysVersion = 6;

/** An older program would run components without their credentials, and delete an account that sources use. */
const accountsVersion = 7;
/** An older program would take it for the end of a delivery. */
const filteredCountsVersion = 7;
/** An older program would not continue the search, and would miss the events not found yet. */
const openingsVersion = 10;
/** An older program would not know these triggers and runs. */
const apphooksVersion = 7;

type Message = MessagesOf[CheckedTopic];
type Type = Message['type'];
type DataOf<T extends Type> = Extract<Message, { readonly type: T }>['data'];
type Rule<T extends Type> = number | ((data: NonNullable<DataOf<T>>) => number);

/** The version of each type; the compiler reports a message type that is missing here. */
const rules: { readonly [T in Type]: Rule<T> } = {
  ...storeVersions,
  AccountCreateRefused: 1,
  AccountCreated: accountsVersion,
  AccountDefined: accountsVersion,
  AccountDeleteRefused: 1,
  AccountDeleted: accountsVersion,
  AccountUpdateRefused: 1,
  AccountUpdated: accountsVersion,
  AlertContinued: 1,
  AlertEnded: 1,
  AlertRaised: 1,
  AnswerKept: ({ stands }) => (stands === true ? deletedComponentsVersion : 1),
  ApiKeyAdded: 1,
  ApiKeyCreateRefused: 1,
  ApiKeyCreated: ({ scopes }) => (scopes.includes('audit') ? auditScopeVersion : apiKeysVersion),
  ApiKeyDeleteRefused: 1,
  ApiKeyDeleted: apiKeysVersion,
  ApiKeyUsed: 1,
  AuditKeyMade: 1,
  BaseCursorOpened: 1,
  BundlePartSaved: bundlesVersion,
  BundleUsed: bundlesVersion,
  ChangeAuditKey: auditKeyChangesVersion,
  CheckpointSigned: 1,
  CodeFetched: 1,
  ComponentDeleteRefused: 1,
  ComponentDeleted: deletedComponentsVersion,
  ComponentFetchRefused: 1,
  ComponentFetched: versionOfFound,
  ComponentSaveRefused: 1,
  ComponentSaved: versionOfFiles,
  ComponentPublished: publishedComponentsVersion,
  ComponentSaving: versionOfSave,
  ComponentUnpublishRefused: 1,
  ComponentUnpublished: publishedComponentsVersion,
  CreateAccount: accountsVersion,
  CreateApiKey: ({ scopes }) => (scopes.includes('audit') ? auditScopeVersion : apiKeysVersion),
  CreateSubscription: versionOfNewSubscription,
  CreateWebhook: 1,
  CreateWorkspace: 1,
  CursorAdvanced: ({ orderedBy }) => (orderedBy === undefined ? 1 : orderedByKeyVersion),
  CursorClosed: 1,
  CursorMoved: 1,
  DataKeyAdded: 1,
  DefinitionsFolded: 1,
  DeleteAccount: accountsVersion,
  DeleteApiKey: apiKeysVersion,
  DeleteComponent: deletedComponentsVersion,
  DeleteSource: 1,
  DeleteSubscription: 1,
  DeleteWebhook: 1,
  DeletionKept: deletionsVersion,
  DeliveryAttempted: versionOfAttempt,
  DeliveryDiscardRequested: ({ offset }) => (offset === undefined ? deletedParkedVersion : actedOnVersion),
  DeliveryDiscarded: ({ by }) => (by === 'deletion' ? deletedDeliveriesVersion : actedOnVersion),
  DeliveryParked: versionOfAttempt,
  DeliveryReopened: actedOnVersion,
  DeliveryRetryRequested: actedOnVersion,
  DeploySource: (data) => versionOfSourceEvent({ type: 'DeploySource', data }),
  DisableWebhook: 1,
  EmitDelayed: 1,
  EmitterGone: 1,
  EndAlert: 1,
  EndSession: apiKeysVersion,
  EventDeletionRequested: deletionsVersion,
  EventEmitted: ({ sample }) => (sample === true ? callsVersion : 1),
  EventsDeleted: deletionsVersion,
  EventsFiltered: filteredCountsVersion,
  EventsPublishRequested: publishingVersion,
  ComponentsFound: versionOfFound,
  ComponentsListed: registryVersion,
  FetchComponent: versionOfFetch,
  FilterChangeRequested: numberedChangesVersion,
  FilterChanged: numberedChangesVersion,
  FilterDefined: versionOfFilters,
  FiltersNeededRequested: neededFiltersVersion,
  FiltersPlaced: numberedChangesVersion,
  HookFailed: ({ kind }) => kindVersions[kind],
  HookSucceeded: ({ kind }) => kindVersions[kind],
  IndexPartSaved: 1,
  KeyWaiting: orderedByKeyVersion,
  ListenerGone: listeningSourcesVersion,
  LogsRequested: (data) => (namesOwner(data) ? ownersVersion : logsRequestsVersion),
  NoteApiKeyUse: 1,
  OpeningAdvanced: openingsVersion,
  RaiseAlert: 1,
  RecentIdsSaved: publishingVersion,
  RegenerateWebhookKey: 1,
  ReplayAdvanced: versionOfReplay,
  ReplayCancelRequested: versionOfReplay,
  ReplayRequested: versionOfReplay,
  RetentionMoved: 1,
  RetryWaiting: versionOfRetry,
  RunFinished: versionOfRun,
  SaveComponent: versionOfSave,
  SavedDefined: versionOfSaved,
  SegmentIndexed: 1,
  SessionEndRefused: 1,
  SessionEnded: apiKeysVersion,
  SourceConfigured: (data) => versionOfSourceEvent({ type: 'SourceConfigured', data }),
  SourceDefined: 1,
  SourceDeleteRefused: (data) => versionOfSourceEvent({ type: 'SourceDeleteRefused', data }),
  SourceDeleted: 1,
  SourceDeleting: 1,
  SourceDeployRefused: 1,
  SourceDeployed: (data) => versionOfSourceEvent({ type: 'SourceDeployed', data }),
  SourceDeploying: (data) => versionOfSourceEvent({ type: 'SourceDeploying', data }),
  SourceDescribed: (data) => versionOfSourceEvent({ type: 'SourceDescribed', data }),
  SourceStateSaved: versionOfState,
  SourceSwapped: (data) => versionOfSourceEvent({ type: 'SourceSwapped', data }),
  SourceSwappedBack: (data) => versionOfSourceEvent({ type: 'SourceSwappedBack', data }),
  SourceUpdateRefused: (data) => versionOfSourceEvent({ type: 'SourceUpdateRefused', data }),
  SourceUpdated: (data) => versionOfSourceEvent({ type: 'SourceUpdated', data }),
  SourceUpdating: (data) => versionOfSourceEvent({ type: 'SourceUpdating', data }),
  SubscriptionCreateRefused: 1,
  SubscriptionCreated: versionOfSubscription,
  SubscriptionDefined: versionOfSubscription,
  SubscriptionDeleteRefused: 1,
  SubscriptionDeleted: 1,
  SubscriptionUpdateRefused: ({ reason }) => (reason === 'filters_needed' ? neededFiltersVersion : 1),
  SubscriptionUpdated: (data) => (data.channelEnds === undefined ? numberedChangesVersion : versionOfFilters(data)),
  TimerScheduled: 1,
  TransformTrialRequested: transformsVersion,
  TreeMoved: 1,
  TriggerRequested: versionOfTrigger,
  UnpublishComponent: publishedComponentsVersion,
  UpdateSource: (data) => versionOfSourceEvent({ type: 'UpdateSource', data }),
  UpdateAccount: accountsVersion,
  UpdateSubscription: versionOfFilters,
  UpdateWebhook: 1,
  WebhookCreateRefused: 1,
  WebhookCreated: (data) => versionOfWebhook({ type: 'WebhookCreated', data }),
  WebhookDefined: (data) => versionOfWebhook({ type: 'WebhookDefined', data }),
  WebhookDeleteRefused: 1,
  WebhookDeleted: 1,
  WebhookDisableRefused: (data) => versionOfWebhook({ type: 'WebhookDisableRefused', data }),
  WebhookDisabled: 1,
  WebhookKeyRegenerateRefused: (data) => versionOfWebhook({ type: 'WebhookKeyRegenerateRefused', data }),
  WebhookKeyRegenerated: (data) => versionOfWebhook({ type: 'WebhookKeyRegenerated', data }),
  WebhookTestRequested: actedOnVersion,
  WebhookUpdateRefused: (data) => versionOfWebhook({ type: 'WebhookUpdateRefused', data }),
  WebhookUpdated: (data) => versionOfWebhook({ type: 'WebhookUpdated', data }),
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
function versionOfReplay({ emitterId }: HasEmitter): number {
  return isEverySource(emitterId) ? wideReplaysVersion : 1;
}

function versionOfAttempt({ replayId }: { readonly replayId?: string }): number {
  return replayId === undefined ? 1 : replayedVersion;
}

function versionOfRetry({ sequence, orderKey }: Pick<OpenDelivery, 'sequence' | 'orderKey'>): number {
  if (sequence === reopenedSequence) return actedOnVersion;
  return orderKey === undefined ? 1 : orderedByKeyVersion;
}

function versionOfState({ finishedBelow, overtaken }: StateEvent['data']): number {
  if (finishedBelow.publishes !== undefined) return publishingVersion;
  return overtaken === undefined ? 1 : overtakenRunsVersion;
}

function versionOfRun({ kind }: RunEvent['data']): number {
  if (isCall(kind)) return kindVersions[kind];
  return kind === 'emit' ? carriedEmitsVersion : kind === 'apphook' || kind === 'event_names' ? apphooksVersion : 1;
}

/** By kind alone, before other fields of the trigger. */
const kindVersions: Readonly<Record<TriggerKind, number>> = {
  describe: 1,
  deploy: 1,
  activate: 1,
  deactivate: 1,
  http: 1,
  manual: 1,
  timer: 1,
  apphook: apphooksVersion,
  event_names: apphooksVersion,
  event: listeningSourcesVersion,
  emit: carriedEmitsVersion,
  sample: callsVersion,
  configure: formCallsVersion,
  props: formCallsVersion,
};

function versionOfTrigger({ kind, http, code, url, find, ...more }: Trigger['data']): number {
  if (find !== undefined) return registryVersion;
  const hasNoSource = code !== undefined || url !== undefined;
  const hasRequestOptions = http?.noRun === true || http?.sealedBody !== undefined;
  return Math.max(
    kindVersions[kind],
    hasNoSource ? savedComponentsVersion : 1,
    hasRequestOptions ? requestOptionsVersion : 1,
    versionOfFiles(more),
  );
}
