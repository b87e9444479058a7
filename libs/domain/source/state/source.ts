// The state of a source in lifecycle, including how far its unfinished process has come.
import type { RevisionDefinition, UpdateDefinition } from '../definition/messages.ts';
import type { Millis } from '../../message.ts';
import type { Sealed } from '../../secrets/sealed.ts';
import { boundedConsole } from '../../component/bounded-output.ts';
import type { SourceSettings } from '../source-settings.ts';
import type { HookEvent, HookKind, SourceKind, SourceStatus } from '../messages.ts';
import type { ConsoleLine } from '../../component/output.ts';

/** Exists until the deploy is refused or the source deleted; the outcome of its request is kept separately. */
export interface Source extends RevisionDefinition {
  readonly workspace: string;
  readonly createdAt: Millis;
  /** The key of the request that created it; null: the request had no Idempotency-Key. */
  readonly requestKey: string | null;
  readonly endpointKey: string;
  readonly status: SourceStatus;
  readonly requestedName: string | null;
  /** The props as given in the command; null once the revision is configured. */
  readonly configuredProps: Sealed | null;
  /** Null until the revision is configured. */
  readonly nameSlug: string | null;
  /** Hooks of the unfinished process that have ended since the last swap; `console` has the output of all of them. */
  readonly ended: readonly HookKind[];
  readonly console: readonly ConsoleLine[];
  /** Whether it was active before the unfinished process. */
  readonly active: boolean;
  readonly lastRevision: number;
  /** Absent: the defaults. */
  readonly settings?: SourceSettings;
  /** If `deactivate` throws, the process continues. */
  readonly ignoreHookErrors: boolean;
  /** Null unless the source is being updated. */
  readonly update: UpdateDefinition | null;
  readonly kind?: SourceKind;
}

/** The fields that tell how far a process has come. */
export type Progress = Pick<
  Source,
  'status' | 'revision' | 'hooks' | 'ended' | 'active' | 'update' | 'http' | 'apphook'
>;

/** The hook whose outcome the source's process waits for; undefined: there is no process, or it has ended. */
export function awaitedHook(source: Progress): HookKind | undefined {
  return stepsOf(source).find((kind) => !source.ended.includes(kind));
}

/** The revision on which that hook runs. */
export const awaitedRevision = (source: Progress): number =>
  awaitedHook(source) === 'describe' ? (source.update?.other?.revision ?? source.revision) : source.revision;

/** False for an outcome that is late, repeated, or out of order. */
export const awaitsOutcome = (source: Source, event: HookEvent): boolean =>
  awaitedHook(source) === kindOf(event) && event.data.revision === awaitedRevision(source);

export const kindOf = (event: HookEvent): HookKind => (event.type === 'SourceDescribed' ? 'describe' : event.data.kind);

/** The source after the outcome of the awaited hook. */
export function afterHook(source: Source, event: HookEvent): Source {
  const console = boundedConsole([...source.console, ...event.data.console]);
  const apphookField =
    event.type === 'HookSucceeded' && event.data.kind === 'event_names'
      ? { apphook: { eventNames: event.data.eventNames ?? null } }
      : {};
  return { ...source, ...apphookField, ended: [...source.ended, kindOf(event)], console };
}

/**
 * Whether accepted triggers wait: from `deactivate` to an update's outcome. A source with custom responses does not
 * wait during `activate`, so that it can answer the requests that `activate` causes.
 */
export function mustTriggersWait(source: Progress): boolean {
  if (source.status !== 'updating') return false;
  const kind = awaitedHook(source);
  return (
    kind === 'deactivate' || kind === 'event_names' || (kind === 'activate' && source.http?.customResponse !== true)
  );
}

/** Whether requests to its endpoint are accepted. While `activate` runs this includes an inactive source. */
export const acceptsRequests = (source: Progress): boolean =>
  (source.http !== null || (source.apphook ?? null) !== null) &&
  (source.active || (source.status === 'updating' && awaitedHook(source) === 'activate'));

/** `deploy` before `activate` (docs/reference/component-api.md, "Hooks"). */
function stepsOf({ status, hooks, active, update }: Progress): readonly HookKind[] {
  const supported = (...kinds: readonly Exclude<HookKind, 'describe'>[]): readonly HookKind[] =>
    kinds.filter((kind) => hooks.includes(kind));
  if (status === 'deleting') return ['deactivate'];
  if (status === 'deploying') return ['describe', ...supported('event_names', 'deploy', 'activate')];
  if (update === null) return [];
  if (update.swapped === 'swapped') return update.active ? supported('event_names', 'activate') : [];
  if (update.swapped === 'back') return active ? supported('event_names', 'activate') : [];
  if (update.other !== null) return ['describe', ...(active ? supported('deactivate') : [])];
  if (update.active === active) return [];
  return update.active ? supported('event_names', 'activate') : supported('deactivate');
}

/** The names from its function `eventNames`, for the event that ends the process; empty if it has no such function. */
export const eventNamesField = ({ hooks, apphook }: Source): { readonly eventNames?: readonly string[] | null } =>
  hooks.includes('event_names') ? { eventNames: apphook?.eventNames ?? null } : {};
