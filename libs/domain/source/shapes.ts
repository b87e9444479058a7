// The shapes of commands, triggers and events about sources; records that do not match are not used.
import { bundleLocation } from '../component/bundle/shapes.ts';
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
  registryQuery,
} from '../component/shapes.ts';
import { refusalFields, repeatable, sourceRefusal } from '../definition/shapes.ts';
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
const revisionFields = { ...sourceId, revision: natural };
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

const deployFields = {
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
  DeploySource: { ...deployFields, name: nullable(text) },
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
  SourceDeploying: { ...deployFields, revision: natural, codeHash: text, requestedName: nullable(text) },
  SourceConfigured: {
    ...revisionFields,
    manifest,
    name: optional(text),
    nameSlug: optional(text),
    bundle: optional(bundleLocation),
    props: record(jsonOrSealed),
  },
  SourceDeployed: { ...revisionFields, console: consoleLines, eventNames },
  SourceDeployRefused: {
    ...revisionFields,
    reason: sourceRefusal,
    message: text,
    error: optional(componentError),
    console: optional(consoleLines),
    problems: optional(propProblems),
    existingId: optional(text),
  },
  SourceDeleting: { ...revisionFields, ignoreHookErrors: optional(flag) },
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
    ...revisionFields,
    name: nullable(text),
    active: flag,
    code: optional(text),
    ...otherFiles,
    codeHash: optional(text),
    configuredProps: nullable(sealed),
    settings: optional(sourceSettings),
    ignoreHookErrors: flag,
  },
  SourceSwapped: revisionFields,
  SourceSwappedBack: { ...revisionFields, ...refusalFields },
  SourceUpdated: {
    ...revisionFields,
    active: flag,
    name: optional(text),
    nameSlug: optional(text),
    settings: optional(sourceSettings),
    console: consoleLines,
    eventNames,
  },
  SourceUpdateRefused: { ...revisionFields, ...refusalFields, active: optional(flag), console: optional(consoleLines) },
};

export const triggers: ShapesOf<Trigger> = {
  TriggerRequested: {
    ...revisionFields,
    kind: triggerKind,
    code: optional(text),
    ...otherFiles,
    url: optional(sealed),
    find: optional(registryQuery),
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
    ...revisionFields,
    manifest,
    dataStores: optional(list(text)),
    bundle: optional(bundleLocation),
    ...locked,
    console: consoleLines,
  },
  HookSucceeded: { ...revisionFields, kind: hookKind, console: consoleLines, eventNames },
  HookFailed: {
    ...revisionFields,
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
