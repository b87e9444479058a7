// One well-formed record of every message type, with every optional field: specs start from these and break them.
import { accountCommands, accountDefinitions, accountEvents } from '../account/samples.fake.ts';
import { alertSamples } from '../alert/samples.fake.ts';
import { auditCommandSamples, auditSamples } from '../audit/samples.fake.ts';
import { bundleSamples } from '../component/bundle/samples.fake.ts';
import type { SourceEvent, Trigger } from '../source/messages.ts';
import type { Manifest } from '../component/manifest.ts';
import { deliverySamples } from '../delivery/samples.fake.ts';
import { pendingSamples } from '../pending/samples.fake.ts';
import type { LogRecord } from '../message.ts';
import type { MessagesOf } from '../messages-of.ts';
import { publishSamples } from '../publish/samples.fake.ts';
import { componentsListed, publishedSamples, wanted } from '../saved/samples.fake.ts';
import { storeSamples } from '../store/samples.fake.ts';
import { scheduleSamples } from '../timer/samples.fake.ts';
import { apiKeySamples } from '../workspace/api-keys/samples.fake.ts';
import type { CheckedTopic } from './verdict.ts';
import { webhookCommands, webhookDefinition, webhookEvents } from './webhook-samples.fake.ts';

type Samples = {
  readonly [Topic in CheckedTopic]: {
    readonly [Type in MessagesOf[Topic]['type']]: Extract<MessagesOf[Topic], { readonly type: Type }>['data'];
  };
};

const sealed = { $sealed: 'AAAA' };
const triple = { emitterId: 'dc_1', listenerId: 'wh_1', eventName: null };
const repeatable = { fingerprint: 'f', requestKey: 'wh_0' };
const made = { createdAt: 1, madeBy: { key: 'wh_0', fingerprint: 'f', answeredAt: 1 } };
const subscription = { ...triple, ...repeatable, subscriptionId: 'sub_1' };
const refused = { reason: 'repeated', message: 'm', existingId: 'x' } as const;
const owner = { name: 'n', userId: 'u_1', username: 'u', email: 'e@example.com' };
const dataKey = { keyId: 'k', wrapped: 'AAAA' };
const console = [{ level: 'log', text: 't', at: 1 }] as const;
const error = { name: 'Error', message: 'm', stack: 's', line: 1, column: 2 };
const source = { sourceId: 'dc_1', revision: 1 };
const named = { name: 'n', nameSlug: 'n' };
const otherFiles = { entry: 'a.mjs', files: { 'lib/b.mjs': 'b' }, ...bundleSamples.locked };
const deploy = {
  ...repeatable,
  ...otherFiles,
  ...{ sourceId: 'dc_1', userId: 'u_1', code: 'c', configuredProps: sealed, endpointKey: 'e' },
  ...({ settings: { timeoutMs: 1_000, memoryMb: 128, rateLimit: 1, concurrency: 2 }, kind: 'channel' } as const),
};
const deploying: Extract<SourceEvent, { type: 'SourceDeploying' }>['data'] = {
  ...deploy,
  ...{ revision: 1, codeHash: 'h', requestedName: null },
};
const manifest: Manifest = {
  ...{ name: 'n', version: '1', key: 'k', description: 'd', type: 'source', dedupe: 'unique' },
  props: [
    {
      ...{ name: 'p', type: 'string', label: 'l', description: 'd', optional: true, default: { a: [1] } },
      ...{ options: ['a', { label: 'b', value: 1 }], remoteOptions: true, withLabel: true, secret: true },
      ...{ min: 0, max: 1, customResponse: true, app: 'a', static: { intervalSeconds: 1 } },
      ...{ reloadProps: true, hidden: true, disabled: true, useQuery: true },
      ...{ alertType: 'info', content: 'c', format: 'file-ref' },
    },
  ],
  hooks: ['deploy', 'activate', 'deactivate'],
  ...{ methods: ['m'], additionalProps: false, sampleEmit: true, annotations: { readOnlyHint: true } },
  authFields: ['oauth_access_token'],
};
const http: NonNullable<Trigger['data']['http']> = {
  ...{ method: 'POST', path: '/', url: 'http://h/', query: { a: 'b', c: ['d', 'e'] }, headers: { host: 'h' } },
  ...{ sealedHeaders: sealed, bodyBase64: 'e30=', clientIp: '::1', sealedBody: sealed, noRun: true },
};
const emit = { event: { a: [1] }, channel: 'c', id: 1, summary: 's', ts: 1, deliveryTs: 1 };
const savedComponent = { componentId: 'sc_1', userId: 'u_1', codeHash: 'h' };
const refusal = { reason: 'hook_failed', message: 'm', error, problems: [{ prop: 'p', message: 'm' }] } as const;
const transform = '(event) => ({ body: event })';

/** The compiler requires each type of each topic. */
export const samples: Samples = {
  commands: {
    ...apiKeySamples.commands,
    CreateWorkspace: { ...owner, apiKeyHash: 'h', apiKeyHint: 'pd_a', dataKey },
    DeploySource: { ...deploy, name: 'n' },
    DeleteSource: { sourceId: 'dc_1', ignoreHookErrors: true },
    UpdateSource: {
      ...{ sourceId: 'dc_1', name: 'n', active: false, code: 'c', configuredProps: sealed, ignoreHookErrors: true },
      ...{ ...otherFiles, settings: deploy.settings },
    },
    FetchComponent: { ...repeatable, fetchId: 'fetch_1', url: sealed, find: wanted },
    SaveComponent: {
      ...repeatable,
      ...otherFiles,
      ...{ componentId: 'sc_1', userId: 'u_1', code: 'c' },
      publish: { key: 'k', version: '1.0.0' },
    },
    UnpublishComponent: { componentId: 'sc_1' },
    DeleteComponent: { componentId: 'sc_1' },
    ...webhookCommands,
    ...accountCommands,
    CreateSubscription: { ...subscription, start: { by: 'time', value: 1 }, filter: { a: ['x'] }, transform },
    UpdateSubscription: { subscriptionId: 'sub_1', filter: { a: ['x'] }, transform },
    DeleteSubscription: triple,
    ...alertSamples.commands,
    ...auditCommandSamples,
  },
  triggers: {
    TriggerRequested: {
      ...source,
      kind: 'http',
      code: 'c',
      ...otherFiles,
      ...{ url: sealed, find: wanted },
      http,
      asked: sealed,
      emits: [emit],
      ...{ channel: '$logs', hops: 1 },
      replyTo: 'gw_1',
    },
    EventDeletionRequested: { sourceId: 'dc_1', channel: '', startId: '1-0', endId: '1-1' },
    LogsRequested: { emitterId: 'dc_1' },
    ...{ ...publishSamples.triggers, ...storeSamples.triggers },
  },
  workspaces: {
    ...apiKeySamples.workspaces,
    WorkspaceCreated: owner,
    ApiKeyAdded: { hash: 'h', userId: 'u_1', hint: 'pd_a' },
  },
  keys: { DataKeyAdded: dataKey },
  components: {
    SourceDeploying: deploying,
    SourceConfigured: { ...source, manifest, ...named, ...bundleSamples.bundled, props: { p: sealed, q: { r: [1] } } },
    SourceDeployed: { ...source, console, eventNames: ['message'] },
    SourceDeployRefused: {
      ...{ ...source, reason: 'hook_failed', message: 'm', error, console, existingId: 'x' },
      problems: [{ prop: 'p', message: 'm' }],
    },
    SourceDeleting: { ...source, ignoreHookErrors: true },
    SourceDeleted: { sourceId: 'dc_1', createdAt: 1, console, error },
    SourceDeleteRefused: { ...source, reason: 'busy', message: 'm', error, console },
    SourceUpdating: {
      ...{ ...source, name: 'n', active: true, code: 'c', codeHash: 'h', configuredProps: sealed },
      ...{ ...otherFiles, settings: deploy.settings, ignoreHookErrors: false },
    },
    SourceSwapped: source,
    SourceSwappedBack: { ...source, ...refusal },
    SourceUpdated: {
      ...source,
      active: true,
      name: 'n',
      nameSlug: 'n',
      settings: deploy.settings,
      console,
      eventNames: null,
    },
    SourceUpdateRefused: { ...source, ...refusal, active: false, console },
  },
  saves: {
    ComponentSaving: { ...repeatable, ...otherFiles, ...savedComponent, code: 'c', publishes: true },
    ComponentSaved: { ...savedComponent, manifest, ...bundleSamples.locked },
    ComponentSaveRefused: {
      ...{ componentId: 'sc_1', began: true, reason: 'component_invalid', message: 'm' },
      ...{ error, console, existingId: 'sc_1' },
    },
    ...publishedSamples,
    ComponentFetched: { fetchId: 'fetch_1', code: 'c' },
    ComponentFetchRefused: { fetchId: 'fetch_1', reason: 'fetch_failed', message: 'm' },
  },
  saved: {
    SavedDefined: {
      ...{ ...savedComponent, status: 'saved', madeBy: made.madeBy },
      ...{ publishes: true, published: { key: 'k', version: '1.0.0' } },
    },
  },
  listeners: {
    ...webhookEvents,
    SubscriptionCreated: { ...subscription, channelEnds: [0, 7], filter: { a: ['x'] }, transform },
    SubscriptionCreateRefused: { ...refused, subscriptionId: 'sub_1' },
    SubscriptionUpdated: { subscriptionId: 'sub_1', filter: { a: ['x'] }, transform, channelEnds: [0, 7] },
    SubscriptionUpdateRefused: { ...refused, subscriptionId: 'sub_1' },
    EmitterGone: { emitterId: 'dc_1' },
    ListenerGone: { listenerId: 'dc_1' },
    SubscriptionDeleted: { ...triple, subscriptionId: 'sub_1', createdAt: 1 },
    SubscriptionDeleteRefused: { ...refused, ...triple },
  },
  connections: accountEvents,
  accounts: accountDefinitions,
  sources: {
    SourceDefined: {
      ...{ ...made, sourceId: 'dc_1', status: 'deploying', revision: 1, endpointKey: 'e', requestedName: 'n' },
      ...{ configuredProps: sealed, nameSlug: 'n', hooks: ['deploy'], ended: ['describe'], console },
      ...{ http: { customResponse: true }, timer: { intervalSeconds: 60 }, codeFrom: 0, configuredFrom: 1 },
      apphook: { eventNames: ['message'] },
      ...{ active: true, codeRevision: 1, lastRevision: 2, ignoreHookErrors: true },
      update: {
        ...{ name: 'n', active: true, settings: deploy.settings, swapped: 'back', refusal },
        other: {
          ...{ revision: 2, codeRevision: 2, codeFrom: 3, configuredFrom: 4, hooks: ['activate'] },
          ...{ http: { customResponse: false }, timer: { intervalSeconds: 60 }, accounts: ['apn_1'] },
        },
      },
      ...{ settings: deploy.settings, kind: 'channel', accounts: ['apn_1'] },
    },
    DefinitionsFolded: { format: 1 },
  },
  webhooks: {
    WebhookDefined: { ...made, ...webhookDefinition },
    DefinitionsFolded: { format: 1 },
  },
  subscriptions: {
    SubscriptionDefined: { ...triple, ...made, subscriptionId: 'sub_1', from: 7 },
    FilterDefined: {
      subscriptionId: 'sub_1',
      partition: 0,
      filters: [{ channelEnds: [7], filter: { a: ['x'] }, transform }],
    },
    DefinitionsFolded: { format: 1 },
  },
  answers: {
    AnswerKept: { ...made.madeBy, id: 'dc_1', refusal, stands: true },
  },
  channels: {
    EventsDeleted: { emitterId: 'dc_1', channel: null, startId: null, endId: '1-1' },
    EventEmitted: {
      ...{ emitterId: 'dc_1', eventId: '1-0', channel: '', event: { a: [1, null] }, runId: 'run_1' },
      emit: { id: 1, summary: 's', ts: 1 },
    },
  },
  runs: {
    RunFinished: {
      ...{ runId: 'run_1', sourceId: 'dc_1', kind: 'http', outcome: 'failed', startedAt: 1, durationMs: 2.5 },
      ...{ console, error, emitted: ['1-0'], deduped: 0 },
      requests: { count: 1, list: [{ method: 'GET', host: 'a.example', status: null, durationMs: 2.5 }] },
    },
  },
  hooks: {
    SourceDescribed: {
      ...{ ...source, manifest, dataStores: ['ds_1'] },
      ...{ ...bundleSamples.bundled, ...bundleSamples.locked, console },
    },
    CodeFetched: { ...source, code: 'c' },
    ComponentsListed: componentsListed,
    HookSucceeded: { ...source, kind: 'event_names', console, eventNames: ['message'] },
    HookFailed: { ...source, kind: 'describe', during: 'additionalProps', error, console },
  },
  state: {
    SourceStateSaved: {
      ...{ sourceId: 'dc_1', db: sealed, dedupe: { strategy: 'unique', ids: ['a'] }, nextSeq: 1, lastEventMs: 1 },
      finishedBelow: { hooks: 1, runs: 1, calls: 1, publishes: 1 },
      overtaken: [0],
    },
    ...{ ...publishSamples.state, ...bundleSamples.state },
  },
  ...{ bundles: bundleSamples.bundles, stores: storeSamples.stores },
  cursors: {
    BaseCursorOpened: { subscriptionId: 'sub_1', next: 0 },
    CursorAdvanced: {
      ...{ subscriptionId: 'sub_1', emitterId: 'dc_1', epoch: 1, next: 1, behindFrom: 0 },
      open: [{ offset: 0, sequence: 2, attempts: 1, dueAt: 1, waitMs: 1 }],
      counters: { published: 2, delivered: 1, parked: 0, filtered: 0, expired: { gone: 0, retention: 0 } },
      report: {
        waiting: 1,
        eventId: '1-0',
        failed: { eventId: '1-0', at: 1, status: 500, failure: null },
        retryAt: 1,
        behind: 1,
      },
      orderedBy: '/id',
    },
    KeyWaiting: {
      ...{ subscriptionId: 'sub_1', emitterId: 'dc_1', orderKey: 'k' },
      ...{ first: 1, sequence: 2, last: 3, waiting: 2 },
    },
    SegmentIndexed: { from: 0, to: 9, records: 9, parts: [3, 1] },
    DeletionKept: { emitterId: 'dc_1', channel: null, startId: null, endId: '1-1', offset: 3 },
    RetryWaiting: {
      ...{ subscriptionId: 'sub_1', emitterId: 'dc_1', offset: 0, sequence: 2 },
      ...{ attempts: 1, dueAt: 1, waitMs: 1, orderKey: 'k' },
    },
    CursorMoved: {
      ...{ subscriptionId: 'sub_1', emitterId: 'dc_1', next: 1, sequence: 1, behindFrom: 0 },
      open: [{ offset: 0, attempts: 1, dueAt: 1 }],
    },
    CursorClosed: { subscriptionId: 'sub_1' },
  },
  ...deliverySamples,
  alerts: alertSamples.alerts,
  schedules: scheduleSamples,
  pending: pendingSamples,
  retention: { RetentionMoved: { before: 1, hooksBefore: 1, clock: 1 } },
  ...auditSamples,
};

/** Every sample as a record. */
export const sampleRecords: readonly (readonly [CheckedTopic, LogRecord])[] = Object.entries(samples).flatMap(
  ([topic, byType]) =>
    Object.entries(byType as Record<string, unknown>).map(
      ([type, data]) => [topic as CheckedTopic, recordOf(type, data)] as const,
    ),
);

export function recordOf(type: string, data: unknown, change: Partial<LogRecord> = {}): LogRecord {
  const envelope = { id: 'rec_1', version: 1, key: 'dc_1', at: 1, workspace: 'o_1' };
  return { ...envelope, type, data, correlationId: 'req_1', causationId: 'req_1', ...change };
}
