// What a record about sources must hold to be used: commands, triggers, and what came of them.
import {
  either,
  finite,
  flag,
  ident,
  json,
  jsonOrSealed,
  list,
  natural,
  nullable,
  object,
  oneOf,
  optional,
  record,
  sealed,
  text,
} from '../shape/checks.ts';
import type { ShapeOf } from '../shape/checks.ts';
import { emitCall } from '../emit/call.ts';
import type { ShapesOf } from '../shape/shapes.ts';
import { bundlePlace } from './bundle/shapes.ts';
import type { HttpRequestData } from './http/request-data.ts';
import type { Manifest, PropDefinition } from './manifest.ts';
import { propFieldNames, propFields } from './props/prop-fields.ts';
import type { FieldKind, PropFields } from './props/prop-fields.ts';
import type { Wanted } from '../saved/registry.ts';
import type { SourceSettings } from './settings/source-settings.ts';
import type {
  ComponentError,
  ComponentRequest,
  ComponentRequests,
  ConsoleLine,
  DeployRefusal,
  HookEvent,
  PropProblem,
  SourceCommand,
  SourceEvent,
  Trigger,
} from './messages.ts';

const sourceId = { sourceId: ident };
const eventNames = optional(nullable(list(text)));
const ofRevision = { ...sourceId, revision: natural };
export const hookKind = oneOf('describe', 'event_names', 'deploy', 'activate', 'deactivate');
export const triggerKind = oneOf(
  'describe',
  'deploy',
  'activate',
  'deactivate',
  'event_names',
  'http',
  'apphook',
  'manual',
  'timer',
  'event',
  'emit',
  'sample',
  'configure',
  'props',
);

const consoleLine = object<ConsoleLine>({
  level: oneOf('debug', 'log', 'info', 'warn', 'error'),
  text,
  at: finite,
});
export const consoleLines = list(consoleLine);

export const componentError = object<ComponentError>({
  name: text,
  message: text,
  stack: optional(text),
  line: optional(finite),
  column: optional(finite),
});

const componentRequest = object<ComponentRequest>({
  method: text,
  host: text,
  status: nullable(natural),
  durationMs: finite,
});
export const componentRequests = object<ComponentRequests>({ count: natural, list: list(componentRequest) });

const propField = {
  string: optional(text),
  boolean: optional(flag),
  number: optional(finite),
  json: optional(json),
  list: optional(list(json)),
  object: optional(record(json)),
} satisfies Record<FieldKind, unknown>;

const propDefinition = object<PropDefinition>({
  name: text,
  type: text,
  ...(Object.fromEntries(propFieldNames.map((name) => [name, propField[propFields[name]]])) as ShapeOf<PropFields>),
});

export const manifest = object<Manifest>({
  name: text,
  version: text,
  key: optional(text),
  description: optional(text),
  type: oneOf('source', 'action'),
  dedupe: optional(oneOf('unique', 'greatest', 'last')),
  props: list(propDefinition),
  hooks: list(oneOf('event_names', 'deploy', 'activate', 'deactivate')),
  methods: list(text),
  additionalProps: flag,
  sampleEmit: optional(flag),
  annotations: optional(record(flag)),
  authFields: optional(list(text)),
});

const httpRequest = object<HttpRequestData>({
  method: text,
  path: text,
  url: text,
  query: record(either(text, list(text))),
  headers: record(text),
  sealedHeaders: nullable(sealed),
  bodyBase64: text,
  sealedBody: optional(sealed),
  noRun: optional(flag),
  clientIp: text,
});

export const sourceSettings = object<SourceSettings>({
  timeoutMs: optional(finite),
  memoryMb: optional(finite),
  rateLimit: optional(finite),
  concurrency: optional(finite),
  emitOnDeploy: optional(flag),
});

export const sourceKind = oneOf('channel');

/** What is to be found in the registry. */
export const wanted = object<Wanted>({ app: text, key: optional(text) });

export const locked = { lock: optional(text) };
/** What a program has beside the text of its entry file. */
export const otherFiles = { entry: optional(text), files: optional(record(text)), ...locked };

const deploy = {
  ...sourceId,
  userId: ident,
  code: text,
  ...otherFiles,
  configuredProps: sealed,
  endpointKey: ident,
  settings: optional(sourceSettings),
  kind: optional(sourceKind),
  fingerprint: nullable(text),
  requestKey: optional(ident),
};

export const propProblems = list(object<PropProblem>({ prop: text, message: text }));

export const sourceRefusal = oneOf(
  'repeated',
  'idempotency_conflict',
  'source_not_found',
  'busy',
  'component_invalid',
  'props_invalid',
  'hook_failed',
  'malformed',
);

export const sourceCommands: ShapesOf<SourceCommand> = {
  DeploySource: { ...deploy, name: nullable(text) },
  DeleteSource: { ...sourceId, ignoreHookErrors: optional(flag) },
  UpdateSource: {
    ...sourceId,
    name: optional(text),
    active: optional(flag),
    code: optional(text),
    ...otherFiles,
    configuredProps: optional(sealed),
    settings: optional(sourceSettings),
    ignoreHookErrors: optional(flag),
  },
};

const refusal = {
  reason: sourceRefusal,
  message: text,
  error: optional(componentError),
  problems: optional(propProblems),
};
/** Why a deploy or an update was refused. */
export const deployRefusal = object<DeployRefusal>(refusal);

export const sourceEvents: ShapesOf<SourceEvent> = {
  SourceDeploying: { ...deploy, revision: natural, codeHash: text, requestedName: nullable(text) },
  SourceConfigured: {
    ...ofRevision,
    manifest,
    name: optional(text),
    nameSlug: optional(text),
    bundle: optional(bundlePlace),
    props: record(jsonOrSealed),
  },
  SourceDeployed: { ...ofRevision, console: consoleLines, eventNames },
  SourceDeployRefused: {
    ...ofRevision,
    reason: sourceRefusal,
    message: text,
    error: optional(componentError),
    console: optional(consoleLines),
    problems: optional(propProblems),
    existingId: optional(text),
  },
  SourceDeleting: { ...ofRevision, ignoreHookErrors: optional(flag) },
  SourceDeleted: { ...sourceId, createdAt: optional(finite), console: consoleLines, error: optional(componentError) },
  SourceDeleteRefused: {
    ...sourceId,
    revision: optional(natural),
    reason: sourceRefusal,
    message: text,
    error: optional(componentError),
    console: optional(consoleLines),
  },
  SourceUpdating: {
    ...ofRevision,
    name: nullable(text),
    active: flag,
    code: optional(text),
    ...otherFiles,
    codeHash: optional(text),
    configuredProps: nullable(sealed),
    settings: optional(sourceSettings),
    ignoreHookErrors: flag,
  },
  SourceSwapped: ofRevision,
  SourceSwappedBack: { ...ofRevision, ...refusal },
  SourceUpdated: {
    ...ofRevision,
    active: flag,
    name: optional(text),
    nameSlug: optional(text),
    settings: optional(sourceSettings),
    console: consoleLines,
    eventNames,
  },
  SourceUpdateRefused: { ...ofRevision, ...refusal, active: optional(flag), console: optional(consoleLines) },
};

export const triggers: ShapesOf<Trigger> = {
  TriggerRequested: {
    ...ofRevision,
    kind: triggerKind,
    code: optional(text),
    ...otherFiles,
    url: optional(sealed),
    find: optional(wanted),
    http: optional(httpRequest),
    event: optional(json),
    asked: optional(sealed),
    emits: optional(list(emitCall)),
    channel: optional(text),
    hops: optional(natural),
    replyTo: optional(text),
  },
};

export const hookEvents: ShapesOf<HookEvent> = {
  SourceDescribed: {
    ...ofRevision,
    manifest,
    dataStores: optional(list(text)),
    bundle: optional(bundlePlace),
    ...locked,
    console: consoleLines,
  },
  HookSucceeded: { ...ofRevision, kind: hookKind, console: consoleLines, eventNames },
  HookFailed: {
    ...ofRevision,
    kind: hookKind,
    during: optional(oneOf('additionalProps')),
    error: componentError,
    console: consoleLines,
  },
};
