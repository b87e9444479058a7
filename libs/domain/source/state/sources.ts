// The current sources and their unfinished processes, folded from the topics `components` and `hooks`.
import type { UsingSource } from '../../account/messages.ts';
import { accountIdsOf } from '../../component/props/accounts/used.ts';
import type { SourceDefinition } from '../definition/messages.ts';
import { answerRequest, keepRequest, madeBy, noRequests, restoreMade } from '../../definition/kept-requests.ts';
import type { KeptRequest, Requests } from '../../definition/kept-requests.ts';
import type { Decided, LogRecord } from '../../message.ts';
import type { CodeFetched, HookEvent, SourceEvent } from '../messages.ts';
import { timerOf } from '../timer-of.ts';
import {
  begunUpdate,
  describedUpdate,
  noProcess,
  notedRevision,
  refusedUpdate,
  swapped,
  swappedBack,
  updated,
} from './evolve-update.ts';
import { afterHook, awaits } from './source.ts';
import type { Source } from './source.ts';
import type { Manifest } from '../../component/manifest.ts';
import { apphookOf } from '../../component/props/apphook/apphook.ts';
import type { HttpInterface } from '../../component/http/interfaces.ts';
import type { DeployRefusal } from '../../definition/deploy-refusal.ts';

export interface Sources {
  readonly byId: Map<string, Source>;
  /** By workspace: slug -> source id. */
  readonly slugs: Map<string, Map<string, string>>;
  readonly requests: Requests;
}

export const noSources = (requests = noRequests()): Sources => ({ byId: new Map(), slugs: new Map(), requests });

/** Updates `state` in place, because it can hold 100,000 sources. `from`: the event's offset, or a lower one. */
export function evolveSources(state: Sources, event: SourceEvent | HookEvent | CodeFetched, from = 0): Sources {
  if (event.type === 'SourceDeploying') return begin(state, event, from);
  const { sourceId } = event.data;
  const source = state.byId.get(sourceId);
  if (source === undefined) return state;
  if (event.type === 'SourceDeleted') return end(state, sourceId, source);
  if (event.type === 'SourceDeployRefused') {
    const isItsEnd = source.status === 'deploying' && event.data.revision === source.revision;
    return isItsEnd ? end(state, sourceId, source, { refusal: refusalOf(event), answeredAt: event.at }) : state;
  }
  if (event.type === 'SourceDeployed')
    answerRequest(state.requests, source.requestKey, sourceId, { answeredAt: event.at });
  const next = afterEvent(source, event, from);
  return next === undefined ? state : place(state, sourceId, next);
}

/** The event's offset; later definitions refer to it. */
export function noteOffset(state: Sources, event: SourceEvent, offset: number): void {
  const { sourceId } = event.data;
  const source = state.byId.get(sourceId);
  if (source === undefined) return;
  const noted = notedRevision(source, event, offset);
  const { update } = noted;
  const other = update?.other ?? null;
  const otherNoted = other === null ? null : notedRevision(other, event, offset);
  if (noted === source && other === otherNoted) return;
  state.byId.set(sourceId, { ...noted, update: update === null ? null : { ...update, other: otherNoted } });
}

function begin(state: Sources, event: SourceEvent & { readonly type: 'SourceDeploying' }, from: number): Sources {
  const { sourceId, revision, requestedName, configuredProps, endpointKey, settings, kind } = event.data;
  const { workspace, at } = event;
  const requestKey = keepRequest(state.requests, { workspace, id: sourceId, at, request: event.data });
  return place(state, sourceId, {
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
type Turning = 'SourceDeploying' | 'SourceDeployRefused' | 'SourceDeleted';
type Further = Exclude<SourceEvent | HookEvent | CodeFetched, { readonly type: Turning }>;

function afterEvent(source: Source, event: Further, from: number): Source | undefined {
  switch (event.type) {
    case 'SourceConfigured': {
      const { nameSlug = source.nameSlug, manifest, props } = event.data;
      const interfaces = { http: httpOf(manifest), timer: timerOf(manifest, props), apphook: apphookOf(manifest) };
      const accounts = accountIdsOf(manifest, props);
      const used = accounts.length === 0 ? {} : { accounts };
      const described = { hooks: manifest.hooks, ...interfaces, ...used, configuredFrom: from };
      if (source.status === 'updating') return describedUpdate(source, described);
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
      return begunUpdate(source, event.data, from);
    case 'SourceSwapped':
      return swapped(source);
    case 'SourceSwappedBack':
      return swappedBack(source, event.data);
    case 'SourceUpdated':
      return updated(source, event.data);
    case 'SourceUpdateRefused':
      return refusedUpdate(source, event.data);
    case 'SourceDescribed':
    case 'HookSucceeded':
    case 'HookFailed':
      return awaits(source, event) ? afterHook(source, event) : undefined;
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
  const told = { ...(error === undefined ? {} : { error }), ...(problems === undefined ? {} : { problems }) };
  return { reason, message, ...told };
}

/** Removes the source but keeps the outcome of its request. */
function end(state: Sources, sourceId: string, source: Source, answer: Partial<KeptRequest> = {}): Sources {
  state.byId.delete(sourceId);
  freeSlug(state, sourceId, source);
  answerRequest(state.requests, source.requestKey, sourceId, { gone: true, ...answer });
  return state;
}

function place(state: Sources, sourceId: string, source: Source): Sources {
  const before = state.byId.get(sourceId);
  state.byId.set(sourceId, source);
  if (before !== undefined && before.nameSlug !== source.nameSlug) freeSlug(state, sourceId, before);
  if (source.nameSlug === null || before?.nameSlug === source.nameSlug) return state;
  const slugs = state.slugs.get(source.workspace) ?? new Map<string, string>();
  state.slugs.set(source.workspace, slugs.set(source.nameSlug, sourceId));
  return state;
}

function freeSlug({ slugs }: Sources, sourceId: string, { workspace, nameSlug }: Source): void {
  const taken = slugs.get(workspace);
  if (nameSlug !== null && taken?.get(nameSlug) === sourceId) taken.delete(nameSlug);
  if (taken?.size === 0) slugs.delete(workspace);
}

/** Restores a source from a definition made by `sourceDefinition`. */
export function placeSource(state: Sources, { workspace, data }: SourceDefinition & LogRecord): void {
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
  const present = { codeRevision, lastRevision, timer, apphook, active, ignoreHookErrors, update };
  const requestKey = restoreMade(state.requests, made, { workspace, id: sourceId });
  place(state, sourceId, { ...source, ...present, workspace, requestKey });
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
  const made = madeBy(state.requests, requestKey, sourceId);
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
    if ([accounts, update?.other?.accounts].some((used) => used?.includes(accountId)))
      users.push({ id, name: nameSlug });
  return users;
}

/** Whether the source has code that can run for events of another source. */
export const canListen = (state: Sources, sourceId: string): boolean => state.byId.get(sourceId)?.kind === undefined;

/** Whether its process waits for more than one outcome, so that events alone do not show how far it has come. */
export const hasSteps = (state: Sources, sourceId: string): boolean => {
  const status = state.byId.get(sourceId)?.status;
  return status === 'deploying' || status === 'updating';
};
