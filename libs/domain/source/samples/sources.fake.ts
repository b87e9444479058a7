// A sample of each record about sources and what they run, for the specs that spoil them field by field.
import { bundleSamples } from '../../component/bundle/samples.fake.ts';
import { manifest } from '../../component/manifest.fake.ts';
import { componentsListed, registryQuery } from '../../saved/samples.fake.ts';
import { console, error, otherFiles, problems, refusal, sealed, settings } from './source-fields.fake.ts';

const source = { sourceId: 'dc_1', revision: 1 };
const nameFields = { name: 'n', nameSlug: 'n' };
const emit = { event: { a: [1] }, channel: 'c', id: 1, summary: 's', ts: 1, deliveryTs: 1 };
const deploy = {
  fingerprint: 'f',
  requestKey: 'wh_0',
  ...otherFiles,
  sourceId: 'dc_1',
  userId: 'u_1',
  code: 'c',
  configuredProps: sealed,
  endpointKey: 'e',
  settings,
  kind: 'channel' as const,
};
const http = {
  method: 'POST' as const,
  path: '/',
  url: 'http://h/',
  query: { a: 'b', c: ['d', 'e'] },
  headers: { host: 'h' },
  sealedHeaders: sealed,
  bodyBase64: 'e30=',
  clientIp: '::1',
  sealedBody: sealed,
  noRun: true,
};

export const sourceSamples = {
  commands: {
    DeploySource: { ...deploy, name: 'n' },
    DeleteSource: { sourceId: 'dc_1', ignoreHookErrors: true },
    UpdateSource: {
      sourceId: 'dc_1',
      name: 'n',
      active: false,
      code: 'c',
      configuredProps: sealed,
      ignoreHookErrors: true,
      ...otherFiles,
      settings,
    },
  },
  triggers: {
    TriggerRequested: {
      ...source,
      kind: 'http',
      code: 'c',
      ...otherFiles,
      url: sealed,
      find: registryQuery,
      http,
      asked: sealed,
      emits: [emit],
      channel: '$logs',
      hops: 1,
      replyTo: 'gw_1',
    },
    EventDeletionRequested: { sourceId: 'dc_1', channel: '', startId: '1-0', endId: '1-1' },
    FilterChangeRequested: { subscriptionId: 'sub_1', version: 1 },
    LogsRequested: { emitterId: 'dc_1' },
  },
  components: {
    SourceDeploying: { ...deploy, revision: 1, codeHash: 'h', requestedName: null },
    SourceConfigured: {
      ...source,
      manifest,
      ...nameFields,
      ...bundleSamples.bundled,
      props: { p: sealed, q: { r: [1] } },
    },
    SourceDeployed: { ...source, console, eventNames: ['message'] },
    SourceDeployRefused: {
      ...source,
      reason: 'hook_failed',
      message: 'm',
      error,
      console,
      existingId: 'x',
      problems,
    },
    SourceDeleting: { ...source, ignoreHookErrors: true },
    SourceDeleted: { sourceId: 'dc_1', createdAt: 1, console, error },
    SourceDeleteRefused: { ...source, reason: 'busy', message: 'm', error, console },
    SourceUpdating: {
      ...source,
      name: 'n',
      active: true,
      code: 'c',
      codeHash: 'h',
      configuredProps: sealed,
      ...otherFiles,
      settings,
      ignoreHookErrors: false,
    },
    SourceSwapped: source,
    SourceSwappedBack: { ...source, ...refusal },
    SourceUpdated: {
      ...source,
      active: true,
      name: 'n',
      nameSlug: 'n',
      settings,
      console,
      eventNames: null,
    },
    SourceUpdateRefused: { ...source, ...refusal, active: false, console },
  },
  channels: {
    FilterChanged: { subscriptionId: 'sub_1', version: 1 },
    EventsDeleted: { emitterId: 'dc_1', channel: null, startId: null, endId: '1-1' },
    EventEmitted: {
      emitterId: 'dc_1',
      eventId: '1-0',
      channel: '',
      event: { a: [1, null] },
      runId: 'run_1',
      emit: { id: 1, summary: 's', ts: 1 },
    },
  },
  runs: {
    RunFinished: {
      runId: 'run_1',
      sourceId: 'dc_1',
      kind: 'http',
      outcome: 'failed',
      startedAt: 1,
      durationMs: 2.5,
      console,
      error,
      emitted: ['1-0'],
      deduped: 0,
      requests: { count: 1, list: [{ method: 'GET', host: 'a.example', status: null, durationMs: 2.5 }] },
    },
  },
  hooks: {
    SourceDescribed: {
      ...source,
      manifest,
      dataStores: ['ds_1'],
      ...bundleSamples.bundled,
      ...bundleSamples.locked,
      console,
    },
    CodeFetched: { ...source, code: 'c' },
    ComponentsListed: componentsListed,
    HookSucceeded: { ...source, kind: 'event_names', console, eventNames: ['message'] },
    HookFailed: { ...source, kind: 'describe', during: 'additionalProps', error, console },
  },
  state: {
    SourceStateSaved: {
      sourceId: 'dc_1',
      db: sealed,
      dedupe: { strategy: 'unique', ids: ['a'] },
      nextSeq: 1,
      lastEventMs: 1,
      finishedBelow: { hooks: 1, runs: 1, calls: 1, publishes: 1 },
      overtaken: [0],
    },
  },
} as const;
