// The shapes of commands, triggers and events about sources; records that do not match are not used.
import { bundlePlace } from '../component/bundle/shapes.ts';
import { emitCall } from '../component/emit-call.ts';
import {
  componentError,
  consoleLines,
  httpRequest,
  locked,
  manifest,
  otherFiles,
  propProblems,
  registryComponents,
  wanted,
} from '../component/shapes.ts';
import { refusal, repeatable, sourceRefusal } from '../definition/shapes.ts';
import {
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
import type { ShapesOf } from '../shape/shapes.ts';
import type { CodeFetched, HookEvent, SourceCommand, SourceEvent, Trigger } from './messages.ts';
import type { SourceSettings } from './source-settings.ts';

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

export const sourceSettings = object<SourceSettings>({
  timeoutMs: optional(finite),
  memoryMb: optional(finite),
  rateLimit: optional(finite),
  concurrency: optional(finite),
  emitOnDeploy: optional(flag),
});

export const sourceKind = oneOf('channel');

const deploy = {
  ...sourceId,
  userId: ident,
  code: text,
  ...otherFiles,
  configuredProps: sealed,
  endpointKey: ident,
  settings: optional(sourceSettings),
  kind: optional(sourceKind),
  ...repeatable,
};

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

export const codeFetched: ShapesOf<CodeFetched> = {
  CodeFetched: { sourceId: ident, revision: natural, code: text },
  ComponentsListed: { sourceId: ident, revision: natural, components: registryComponents },
};
