// The current sources and their unfinished processes, folded from the topics `components` and `hooks`.
import type { UsingSource } from '../../account/messages.ts';
import { accountIdsOf } from '../../component/props/accounts/used-accounts.ts';
import type { SourceDefinition } from '../definition/messages.ts';
import {
  updateRequest,
  recordRequest,
  madeByOf,
  noRequests,
  restoreMadeBy,
} from '../../definition/recorded-requests.ts';
import type { RecordedRequest, RecordedRequests } from '../../definition/recorded-requests.ts';
import type { Decided, LogRecord } from '../../message.ts';
import type { CodeFetched, HookEvent, SourceEvent } from '../messages.ts';
import { timerOf } from '../timer-of.ts';
import {
  beginUpdate,
  applyDescription,
  noProcess,
  withRecordOffset,
  refuseUpdate,
  swapRevisions,
  swapBack,
  finishUpdate,
} from './evolve-update.ts';
import { afterHook, awaitsOutcome } from './source.ts';
import type { Source } from './source.ts';
import type { Manifest } from '../../component/manifest.ts';
import { apphookOf } from '../../component/props/apphook/apphook.ts';
import type { HttpInterface } from '../../component/http/interfaces.ts';
import type { DeployRefusal } from '../../definition/deploy-refusal.ts';

export interface Sources {
  readonly byId: Map<string, Source>;
  /** By workspace: slug -> source id. */
  readonly slugs: Map<string, Map<string, string>>;
  readonly requests: RecordedRequests;
}

export const noSources = (requests = noRequests()): Sources => ({ byId: new Map(), slugs: new Map(), requests });

/** Updates `state` in place, because it can hold 100,000 sources. `from`: the event's offset, or a lower one. */
export function evolveSources(state: Sources, event: SourceEvent | HookEvent | CodeFetched, from = 0): Sources {
  if (event.type === 'SourceDeploying') return beginDeploy(state, event, from);
  const { sourceId } = event.data;
  const source = state.byId.get(sourceId);
  if (source === undefined) return state;
  if (event.type === 'SourceDeleted') return removeSource(state, sourceId, source);
  if (event.type === 'SourceDeployRefused') {
    const endsDeploy = source.status === 'deploying' && event.data.revision === source.revision;
    return endsDeploy
      ? removeSource(state, sourceId, source, { refusal: refusalOf(event), answeredAt: event.at })
      : state;
  }
  if (event.type === 'SourceDeployed')
    updateRequest(state.requests, source.requestKey, sourceId, { answeredAt: event.at });
  const next = afterEvent(source, event, from);
  return next === undefined ? state : putSource(state, sourceId, next);
}

/** The event's offset; later definitions refer to it. */
export function recordOffset(state: Sources, event: SourceEvent, offset: number): void {
  const { sourceId } = event.data;
  const source = state.byId.get(sourceId);
  if (source === undefined) return;
  const withOffset = withRecordOffset(source, event, offset);
  const { update } = withOffset;
  const other = update?.other ?? null;
  const otherWithOffset = other === null ? null : withRecordOffset(other, event, offset);
  if (withOffset === source && other === otherWithOffset) return;
  state.byId.set(sourceId, { ...withOffset, update: update === null ? null : { ...update, other: otherWithOffset } });
}

function beginDeploy(state: Sources, event: SourceEvent & { readonly type: 'SourceDeploying' }, from: number): Sources {
  const { sourceId, revision, requestedName, configuredProps, endpointKey, settings, kind } = event.data;
  const { workspace, at } = event;
  const requestKey = recordRequest(state.requests, { workspace, id: sourceId, at, request: event.data });
  return putSource(state, sourceId, {
    workspace,
    createdAt: at,
    requestKey,
    endpointKey,
    status: 'deploying',
    revision,
    requestedName,
    configuredProps,
    nameSlug: null,
    hooks: [],
    ended: [],
    console: [],
    http: null,
    timer: null,
    apphook: null,
    codeFrom: from,
    codeRevision: revision,
    configuredFrom: null,
    active: true,
    lastRevision: revision,
    ignoreHookErrors: false,
    update: null,
    ...(settings === undefined ? {} : { settings }),
    ...(kind === undefined ? {} : { kind }),
  });
}

/** Events that begin or end a source. */
type BeginningOrEnd = 'SourceDeploying' | 'SourceDeployRefused' | 'SourceDeleted';
type ProcessEvent = Exclude<SourceEvent | HookEvent | CodeFetched, { readonly type: BeginningOrEnd }>;

function afterEvent(source: Source, event: ProcessEvent, from: number): Source | undefined {
  switch (event.type) {
    case 'SourceConfigured': {
      const { nameSlug = source.nameSlug, manifest, props } = event.data;
      const interfaces = { http: httpOf(manifest), timer: timerOf(manifest, props), apphook: apphookOf(manifest) };
      const accounts = accountIdsOf(manifest, props);
      const accountsField = accounts.length === 0 ? {} : { accounts };
      const described = { hooks: manifest.hooks, ...interfaces, ...accountsField, configuredFrom: from };
      if (source.status === 'updating') return applyDescription(source, described);
      return { ...source, configuredProps: null, nameSlug, ...described };
    }
    case 'SourceDeployed':
      return { ...source, ...noProcess, status: 'deployed' };
    case 'SourceDeleting':
      return { ...source, ...noProcess, status: 'deleting', ignoreHookErrors: event.data.ignoreHookErrors === true };
    case 'SourceDeleteRefused':
      if (event.data.revision === undefined || source.status !== 'deleting') return undefined;
      return { ...source, ...noProcess, status: 'deployed' };
    case 'SourceUpdating':
      return beginUpdate(source, event.data, from);
    case 'SourceSwapped':
      return swapRevisions(source);
    case 'SourceSwappedBack':
      return swapBack(source, event.data);
    case 'SourceUpdated':
      return finishUpdate(source, event.data);
    case 'SourceUpdateRefused':
      return refuseUpdate(source, event.data);
    case 'SourceDescribed':
    case 'HookSucceeded':
    case 'HookFailed':
      return awaitsOutcome(source, event) ? afterHook(source, event) : undefined;
    // These events belong to no source.
    case 'CodeFetched':
    case 'ComponentsListed':
      return undefined;
    default:
      event satisfies never;
      return undefined;
  }
}

function httpOf({ props }: Manifest): HttpInterface | null {
  const http = props.find(({ type }) => type === '$.interface.http');
  return http === undefined ? null : { customResponse: http.customResponse === true };
}

function refusalOf({ data }: SourceEvent & { readonly type: 'SourceDeployRefused' }): DeployRefusal {
  const { reason, message, error, problems } = data;
  const optionalFields = { ...(error === undefined ? {} : { error }), ...(problems === undefined ? {} : { problems }) };
  return { reason, message, ...optionalFields };
}

/** Removes the source but keeps the outcome of its request. */
function removeSource(
  state: Sources,
  sourceId: string,
  source: Source,
  answer: Partial<RecordedRequest> = {},
): Sources {
  state.byId.delete(sourceId);
  freeSlug(state, sourceId, source);
  updateRequest(state.requests, source.requestKey, sourceId, { gone: true, ...answer });
  return state;
}

function putSource(state: Sources, sourceId: string, source: Source): Sources {
  const previous = state.byId.get(sourceId);
  state.byId.set(sourceId, source);
  if (previous !== undefined && previous.nameSlug !== source.nameSlug) freeSlug(state, sourceId, previous);
  if (source.nameSlug === null || previous?.nameSlug === source.nameSlug) return state;
  const slugs = state.slugs.get(source.workspace) ?? new Map<string, string>();
  state.slugs.set(source.workspace, slugs.set(source.nameSlug, sourceId));
  return state;
}

function freeSlug({ slugs }: Sources, sourceId: string, { workspace, nameSlug }: Source): void {
  const workspaceSlugs = slugs.get(workspace);
  if (nameSlug !== null && workspaceSlugs?.get(nameSlug) === sourceId) workspaceSlugs.delete(nameSlug);
  if (workspaceSlugs?.size === 0) slugs.delete(workspace);
}

/** Restores a source from a definition made by `sourceDefinition`. */
export function restoreSource(state: Sources, { workspace, data }: SourceDefinition & LogRecord): void {
  const {
    sourceId,
    madeBy: made,
    timer = null,
    apphook = null,
    active = true,
    ignoreHookErrors = false,
    update = null,
    ...source
  } = data;
  const { codeRevision = source.revision, lastRevision = source.revision } = source;
  const currentFields = { codeRevision, lastRevision, timer, apphook, active, ignoreHookErrors, update };
  const requestKey = restoreMadeBy(state.requests, made, { workspace, id: sourceId });
  putSource(state, sourceId, { ...source, ...currentFields, workspace, requestKey });
}

/** Undefined: there is no such source. */
export function sourceDefinition(state: Sources, sourceId: string): Decided<SourceDefinition> | undefined {
  const source = state.byId.get(sourceId);
  if (source === undefined) return undefined;
  const {
    workspace: _envelope,
    requestKey,
    active,
    codeRevision,
    lastRevision,
    ignoreHookErrors,
    update,
    apphook = null,
    ...rest
  } = source;
  const changes = {
    ...(active ? {} : { active }),
    ...(codeRevision === source.revision ? {} : { codeRevision }),
    ...(lastRevision === source.revision ? {} : { lastRevision }),
    ...(ignoreHookErrors ? { ignoreHookErrors } : {}),
    ...(update === null ? {} : { update }),
    ...(apphook === null ? {} : { apphook }),
  };
  const made = madeByOf(state.requests, requestKey, sourceId);
  return { type: 'SourceDefined', data: { sourceId, ...rest, ...changes, madeBy: made } };
}

/** Whether the workspace has the source and it is configured, so that it can be subscribed to. */
export function canBeSubscribedTo(state: Sources, sourceId: string, workspace: string): boolean {
  const source = state.byId.get(sourceId);
  if (source === undefined || source.workspace !== workspace) return false;
  return source.status === 'deploying' ? source.nameSlug !== null : source.status !== 'deleting';
}

/** The sources that use an account, in the current revision or in the other one of an update. */
export function sourcesUsing({ byId }: Sources, accountId: string): readonly UsingSource[] {
  const users: UsingSource[] = [];
  for (const [id, { accounts, update, nameSlug }] of byId)
    if ([accounts, update?.other?.accounts].some((accountIds) => accountIds?.includes(accountId)))
      users.push({ id, name: nameSlug });
  return users;
}

/** Whether the source has code that can run for events of another source. */
export const canListen = (state: Sources, sourceId: string): boolean => state.byId.get(sourceId)?.kind === undefined;

/** Whether its process waits for more than one outcome, so that events alone do not show how far it has come. */
export const hasSeveralSteps = (state: Sources, sourceId: string): boolean => {
  const status = state.byId.get(sourceId)?.status;
  return status === 'deploying' || status === 'updating';
};
