// What stands of sources and of the processes under way, folded from the topics `components` and `hooks`.
import type { Creation } from '../listener/repeat.ts';
import type { Sealed } from '../secrets/sealed.ts';
import { boundedConsole } from './kept-output.ts';
import type {
  ComponentError,
  ConsoleLine,
  HookEvent,
  HookKind,
  PropProblem,
  SourceEvent,
  SourceRefusal,
} from './messages.ts';

export type SourceStatus = 'deploying' | 'deployed' | 'deleting' | 'refused' | 'deleted';

/** Why the deploy of a source was refused; told again to whoever repeats the request. */
export interface DeployRefusal {
  readonly reason: SourceRefusal;
  readonly message: string;
  readonly error?: ComponentError;
  readonly problems?: readonly PropProblem[];
}

/** Refused and deleted ones stay, so that an id is never made twice. */
export interface Source extends Creation {
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
  readonly refusal: DeployRefusal | null;
}

export interface Sources {
  readonly byId: Map<string, Source>;
  /** By workspace: slug -> source id. */
  readonly slugs: Map<string, Map<string, string>>;
}

export const noSources = (): Sources => ({ byId: new Map(), slugs: new Map() });

const noProcess = { configuredProps: null, ended: [], console: [] } as const;

/** Updates `state` in place: a take-over folds every event there is, and copying would make that quadratic. */
export function evolveSources(state: Sources, event: SourceEvent | HookEvent): Sources {
  if (event.type === 'SourceDeploying') return begin(state, event);
  const source = state.byId.get(event.data.sourceId);
  const next = source === undefined ? undefined : afterEvent(source, event);
  if (source === undefined || next === undefined) return state;
  state.byId.set(event.data.sourceId, next);
  if (source.nameSlug !== next.nameSlug) moveSlug(state, event.data.sourceId, { from: source, to: next });
  return state;
}

function begin(state: Sources, event: SourceEvent & { readonly type: 'SourceDeploying' }): Sources {
  const { sourceId, fingerprint, revision, requestedName, configuredProps } = event.data;
  const { workspace, at } = event;
  state.byId.set(sourceId, {
    ...{ workspace, at, fingerprint, gone: false, status: 'deploying', revision, requestedName, configuredProps },
    ...{ nameSlug: null, hooks: [], ended: [], console: [], refusal: null },
  });
  return state;
}

function afterEvent(source: Source, event: SourceEvent | HookEvent): Source | undefined {
  switch (event.type) {
    case 'SourceConfigured': {
      const { nameSlug, manifest } = event.data;
      return { ...source, configuredProps: null, nameSlug, hooks: manifest.hooks };
    }
    case 'SourceDeployed':
      return { ...source, ...noProcess, status: 'deployed' };
    case 'SourceDeployRefused': {
      if (source.status !== 'deploying' || event.data.revision !== source.revision) return undefined;
      const { reason, message, error, problems } = event.data;
      const told = { ...(error === undefined ? {} : { error }), ...(problems === undefined ? {} : { problems }) };
      const refusal = { reason, message, ...told };
      return { ...source, ...noProcess, status: 'refused', nameSlug: null, hooks: [], refusal };
    }
    case 'SourceDeleting':
      return { ...source, ...noProcess, status: 'deleting' };
    case 'SourceDeleted':
      return { ...source, ...noProcess, status: 'deleted', gone: true, nameSlug: null, hooks: [] };
    case 'SourceDescribed':
    case 'HookSucceeded':
    case 'HookFailed':
      return awaits(source, event) ? afterHook(source, event) : undefined;
    default:
      return undefined;
  }
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

function moveSlug(
  state: Sources,
  sourceId: string,
  { from, to }: { readonly from: Source; readonly to: Source },
): void {
  const slugs = state.slugs.get(to.workspace) ?? new Map<string, string>();
  if (from.nameSlug !== null && slugs.get(from.nameSlug) === sourceId) slugs.delete(from.nameSlug);
  if (to.nameSlug !== null) slugs.set(to.nameSlug, sourceId);
  state.slugs.set(to.workspace, slugs);
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
