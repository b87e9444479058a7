// What stands of sources and of the processes under way, folded from the topics `components` and `hooks`.
import type { SourceDefinition } from '../definition/messages.ts';
import {
  answerRequest,
  keepRequest,
  madeBy,
  noRequests,
  restoreRequest,
  standingRequest,
} from '../definition/requests.ts';
import type { KeptRequest, Requests } from '../definition/requests.ts';
import type { Decided, LogRecord, Millis } from '../message.ts';
import type { Sealed } from '../secrets/sealed.ts';
import type { TimerSchedule } from '../timer/messages.ts';
import { timerOf } from '../timer/timer-of.ts';
import { boundedConsole } from './kept-output.ts';
import type { Manifest } from './manifest.ts';
import type { SourceSettings } from './settings/source-settings.ts';
import type {
  ConsoleLine,
  DeployRefusal,
  HookEvent,
  HookKind,
  HttpInterface,
  SourceEvent,
  SourceStatus,
} from './messages.ts';

/** One that was refused or deleted is none: what its request led to is kept apart. */
export interface Source {
  readonly workspace: string;
  readonly createdAt: Millis;
  /** Of the request that made it; null: it had no Idempotency-Key. */
  readonly requestKey: string | null;
  readonly endpointKey: string;
  readonly status: SourceStatus;
  readonly revision: number;
  readonly requestedName: string | null;
  /** As the command brought them; null once the revision is configured. */
  readonly configuredProps: Sealed | null;
  /** Null until the revision is configured. */
  readonly nameSlug: string | null;
  readonly hooks: readonly HookKind[];
  /** Hooks of the process under way that have ended, and what they wrote. */
  readonly ended: readonly HookKind[];
  readonly console: readonly ConsoleLine[];
  /** Null until the revision is configured, and without such an interface. */
  readonly http: HttpInterface | null;
  /** The same of its timer. */
  readonly timer: TimerSchedule | null;
  /** Absent: the defaults. */
  readonly settings?: SourceSettings;
  /** Where on `components` its SourceDeploying and its SourceConfigured stand, or before that. */
  readonly codeFrom: number;
  readonly configuredFrom: number | null;
}

export interface Sources {
  readonly byId: Map<string, Source>;
  /** By workspace: slug -> source id. */
  readonly slugs: Map<string, Map<string, string>>;
  readonly requests: Requests;
}

export const noSources = (requests = noRequests()): Sources => ({ byId: new Map(), slugs: new Map(), requests });

const noProcess = { configuredProps: null, ended: [], console: [] } as const;

/** Updates `state` in place, since it may hold a hundred thousand. `from`: where the event stands on its topic, or before that. */
export function evolveSources(state: Sources, event: SourceEvent | HookEvent, from = 0): Sources {
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

/** The event stands there: later definitions say so. */
export function noteOffset(state: Sources, { type, data }: SourceEvent, offset: number): void {
  const source = state.byId.get(data.sourceId);
  if (source === undefined) return;
  if (type === 'SourceDeploying' && data.revision === source.revision)
    state.byId.set(data.sourceId, { ...source, codeFrom: offset });
  if (type === 'SourceConfigured' && data.revision === source.revision)
    state.byId.set(data.sourceId, { ...source, configuredFrom: offset });
}

function begin(state: Sources, event: SourceEvent & { readonly type: 'SourceDeploying' }, from: number): Sources {
  const { sourceId, revision, requestedName, configuredProps, endpointKey, settings } = event.data;
  const { workspace, at } = event;
  const requestKey = keepRequest(state.requests, { workspace, id: sourceId, at, request: event.data });
  return place(state, sourceId, {
    ...{ workspace, createdAt: at, requestKey, endpointKey, status: 'deploying', revision, requestedName },
    ...{ configuredProps, nameSlug: null, hooks: [], ended: [], console: [], http: null, timer: null },
    ...{ codeFrom: from, configuredFrom: null, ...(settings === undefined ? {} : { settings }) },
  });
}

function afterEvent(source: Source, event: SourceEvent | HookEvent, from: number): Source | undefined {
  switch (event.type) {
    case 'SourceConfigured': {
      const { nameSlug, manifest, props } = event.data;
      const interfaces = { http: httpOf(manifest), timer: timerOf(manifest, props) };
      const { hooks } = manifest;
      return { ...source, configuredProps: null, nameSlug, hooks, ...interfaces, configuredFrom: from };
    }
    case 'SourceDeployed':
      return { ...source, ...noProcess, status: 'deployed' };
    case 'SourceDeleting':
      return { ...source, ...noProcess, status: 'deleting' };
    case 'SourceDescribed':
    case 'HookSucceeded':
    case 'HookFailed':
      return awaits(source, event) ? afterHook(source, event) : undefined;
    default:
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

/** What its request led to is kept. */
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

/** Takes a definition in, as `sourceDefinition` gave it. */
export function placeSource(state: Sources, { workspace, data }: SourceDefinition & LogRecord): void {
  const { sourceId, madeBy: made, timer = null, ...source } = data;
  if (made !== null) restoreRequest(state.requests, made.key, standingRequest(made, { workspace, id: sourceId }));
  place(state, sourceId, { ...source, timer, workspace, requestKey: made?.key ?? null });
}

/** Undefined: there is no such source. */
export function sourceDefinition(state: Sources, sourceId: string): Decided<SourceDefinition> | undefined {
  const source = state.byId.get(sourceId);
  if (source === undefined) return undefined;
  const { workspace: _envelope, requestKey, ...rest } = source;
  return { type: 'SourceDefined', data: { sourceId, ...rest, madeBy: madeBy(state.requests, requestKey, sourceId) } };
}

export const kindOf = (event: HookEvent): HookKind => (event.type === 'SourceDescribed' ? 'describe' : event.data.kind);

/** The hook whose outcome the process under way waits for; undefined when none is under way, or it is at its end. */
export function awaitedHook({ status, hooks, ended }: Source): HookKind | undefined {
  if (status === 'deleting') return ended.includes('deactivate') ? undefined : 'deactivate';
  if (status !== 'deploying') return undefined;
  const steps: readonly HookKind[] = ['describe', ...hookOrder.filter((kind) => hooks.includes(kind))];
  return steps.find((kind) => !ended.includes(kind));
}

/** `deploy` before `activate` (spec.md 3.1). */
const hookOrder = ['deploy', 'activate'] as const;

/** False for an outcome that comes late, twice, or out of order. */
export const awaits = (source: Source, event: HookEvent): boolean =>
  event.data.revision === source.revision && awaitedHook(source) === kindOf(event);

/** The process one hook further on. */
export function afterHook(source: Source, event: HookEvent): Source {
  const console = boundedConsole([...source.console, ...event.data.console]);
  return { ...source, ended: [...source.ended, kindOf(event)], console };
}

/** Whether the workspace has the source, configured at least, so that it can be subscribed to. */
export function canBeSubscribedTo(state: Sources, sourceId: string, workspace: string): boolean {
  const source = state.byId.get(sourceId);
  if (source === undefined || source.workspace !== workspace) return false;
  return source.status === 'deployed' || (source.status === 'deploying' && source.nameSlug !== null);
}

/** Whether its process has more than one outcome to wait for, so that the events alone do not say how far it is. */
export const isDeploying = (state: Sources, sourceId: string): boolean =>
  state.byId.get(sourceId)?.status === 'deploying';
