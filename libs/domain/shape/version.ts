// The version a record is written with: a higher one where an older program would misread the record.
import { isCall } from '../call/call.ts';
import { eventVersion } from '../component/life/version.ts';
import type { EmittedEvent, RunEvent, StateEvent } from '../channel/messages.ts';
import { isEveryEmitter } from '../delivery/matching.ts';
import { isOwnerId, isSourceId } from '../id.ts';
import { ofWebhook, webhookVersion } from '../listener/webhook/version.ts';
import type { Trigger, TriggerKind } from '../component/messages.ts';
import type { LogRecord } from '../message.ts';

/** Sources that listen: earlier, every listener was a webhook, and no trigger carried another source's event. */
const listeningSources = 2;
/** An older program would run requests that must not run, or run them without the sealed body. */
const requestOptions = 2;
/** An older program would take it for a trigger of a deleted source. */
const savedComponents = 3;
/** An older program would refuse what the trigger carries, and skip the run's record. */
const carriedEmits = 3;

/** An older program would refuse calls, and show and deliver samples as real events. */
const synchronousCalls = 4;

/** An older program would take overtaken runs for finished ones. */
const overtakenRuns = 2;

/** An older program would deliver and show deleted events. */
const deletions = 2;

/** An older program would take it for an unreadable trigger, and record a run. */
const logsRequests = 4;

/** An older program would begin the subscription now. */
const startPositions = 5;

/** An older program would take attempts of a replay for those of the delivery. */
export const replayedVersion = 5;

/** An older program would not count what was parked as open again, nor know what was discarded. */
export const actedOnVersion = 6;

/** An older program would take a request to publish for an unreadable trigger, and publish again what has been. */
const publishing = 5;

/** An older program would deliver events that a subscription does not want. */
const filters = 5;

/** An older program would take the id of a workspace or a user for that of a source, and deliver nothing. */
const owners = 6;
/** An older program would refuse keys that stand, and admit keys and sessions that are gone. */
const apiKeys = 6;

/** An older program would look for a source with this id, and end the replay with nothing sent. */
const wideReplays = 6;
/** An older program would deliver events as they are, or take a trial for the end of a replay. */
const transforms = 6;

const ofPublishing: ReadonlySet<string> = new Set(['EventsPublishRequested', 'RecentIdsSaved']);
const hasTransform: ReadonlySet<string> = new Set([
  ...['CreateSubscription', 'SubscriptionCreated', 'UpdateSubscription', 'SubscriptionUpdated', 'FilterDefined'],
]);
const hasFilter: ReadonlySet<string> = new Set(['CreateSubscription', 'SubscriptionCreated', 'SubscriptionDefined']);

const ofApiKeys: ReadonlySet<string> = new Set([
  'CreateApiKey',
  'ApiKeyCreated',
  'DeleteApiKey',
  'ApiKeyDeleted',
  'EndSession',
  'SessionEnded',
]);
const ofDeletion: ReadonlySet<string> = new Set(['EventDeletionRequested', 'EventsDeleted', 'DeletionKept']);
const ofSubscription: ReadonlySet<string> = new Set(['SubscriptionCreated', 'SubscriptionDefined']);
const ofFilter: ReadonlySet<string> = new Set(['UpdateSubscription', 'SubscriptionUpdated', 'FilterDefined']);

const ofEmitter: ReadonlySet<string> = new Set([
  ...['CreateSubscription', 'SubscriptionCreated', 'SubscriptionDefined', 'LogsRequested'],
]);

const ofReplay: ReadonlySet<string> = new Set(['ReplayRequested', 'ReplayCancelRequested', 'ReplayAdvanced']);

const namesOwner = (data: unknown): boolean => isOwnerId((data as { readonly emitterId: string }).emitterId);
const isWide = (data: unknown): boolean =>
  data !== undefined && isEveryEmitter((data as { readonly emitterId: string }).emitterId);

export function versionOf({ type, data }: Pick<LogRecord, 'type' | 'data'>): number {
  if (ofEmitter.has(type) && data !== undefined && namesOwner(data)) return owners;
  if (ofReplay.has(type)) return isWide(data) ? wideReplays : 1;
  if (type === 'ListenerGone') return listeningSources;
  if (ofDeletion.has(type)) return deletions;
  if (type === 'LogsRequested') return logsRequests;
  if (data === undefined) return 1;
  if (ofApiKeys.has(type)) return apiKeys;
  if (type === 'TransformTrialRequested' || (hasTransform.has(type) && isTransforming(data))) return transforms;
  if (ofFilter.has(type) || (hasFilter.has(type) && 'filter' in (data as object))) return filters;
  if (type === 'CreateSubscription') return 'start' in (data as object) ? startPositions : 1;
  if (ofPublishing.has(type)) return publishing;
  if (type === 'SourceStateSaved') return ofState(data as StateEvent['data']);
  if (type === 'RunFinished') return ofRun(data as RunEvent['data']);
  if (type === 'EventEmitted') return (data as EmittedEvent['data']).sample === true ? synchronousCalls : 1;
  if (type === 'TriggerRequested') return ofTrigger(data as Trigger['data']);
  if (ofWebhook.has(type)) return webhookVersion({ type, data: data as object });
  if (ofSubscription.has(type))
    return isSourceId((data as { readonly listenerId: string }).listenerId) ? listeningSources : 1;
  return eventVersion({ type, data: data as object });
}

/** Whether a transform is set, taken away, or among those that a subscription has had. */
function isTransforming(data: unknown): boolean {
  const { transform, filters: all = [] } = data as {
    readonly transform?: unknown;
    readonly filters?: readonly object[];
  };
  return transform !== undefined || all.some((since) => 'transform' in since);
}

function ofState({ finishedBelow, overtaken }: StateEvent['data']): number {
  if (finishedBelow.publishes !== undefined) return publishing;
  return overtaken === undefined ? 1 : overtakenRuns;
}

function ofRun({ kind }: RunEvent['data']): number {
  if (isCall(kind)) return synchronousCalls;
  return kind === 'emit' ? carriedEmits : 1;
}

/** Whatever else the trigger carries. */
const ofKind: Readonly<Record<TriggerKind, number>> = {
  ...{ describe: 1, deploy: 1, activate: 1, deactivate: 1, http: 1, manual: 1, timer: 1 },
  ...{ event: listeningSources, emit: carriedEmits, sample: synchronousCalls },
};

function ofTrigger({ kind, http, code, url }: Trigger['data']): number {
  const standsAlone = code !== undefined || url !== undefined;
  const wishes = http?.noRun === true || http?.sealedBody !== undefined;
  return Math.max(ofKind[kind], standsAlone ? savedComponents : 1, wishes ? requestOptions : 1);
}
