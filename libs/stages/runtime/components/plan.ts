// Whether a trigger can run now: definitions, keys and triggers are read independently of each other.
import type { QueuedTrigger } from '../lanes/queued-trigger.ts';
import type { Definition } from './definitions.ts';
import type { KeyState } from '../../../domain/secrets/keyring.ts';
import type { LaneName } from '../source/source-state.ts';

export type Plan =
  /** The revision or the key that it needs stands on the log, but was not read yet; or an update is under way. */
  | { readonly kind: 'wait' }
  /** Of its source nothing is known, or not what stood when it was requested: that was not read yet, or is gone. */
  | { readonly kind: 'unknown' }
  /** It brings what it is about along. */
  | { readonly kind: 'as_it_is' }
  | { readonly kind: 'refuse'; readonly message: string; readonly name?: string }
  | { readonly kind: 'describe' | 'invoke'; readonly definition: Definition };

export interface PlanGiven {
  readonly definition: Definition | undefined;
  /** Whether all was read that stood when the trigger was requested: what is not known then is gone. */
  readonly isSettled: boolean;
  readonly key: KeyState;
}

const wait: Plan = { kind: 'wait' };
const unknown: Plan = { kind: 'unknown' };
const asItIs: Plan = { kind: 'as_it_is' };
const gone: Plan = { kind: 'refuse', message: 'The source was deleted, or its deploy was refused' };
const inactive: Plan = {
  kind: 'refuse',
  message: 'The source is inactive: events of what it listens to are not run',
  name: 'SourceInactiveError',
};
const closed: Plan = { kind: 'refuse', message: "The workspace's data key does not open; bring the topic keys back" };
const erased: Plan = { kind: 'refuse', message: "The workspace's data key was erased" };

export function planOf(trigger: QueuedTrigger, { definition, isSettled, key }: PlanGiven): Plan {
  if (trigger.refusal !== undefined) return { kind: 'refuse', message: trigger.refusal.message };
  if (trigger.standsAlone !== true) {
    if (definition === undefined) return isSettled ? gone : unknown;
    if (definition.revision === 0) return wait;
  }
  if (key === 'erased') return erased;
  if (key === 'closed') return closed;
  if (key === 'not_read_yet') return wait;
  if (definition === undefined) return asItIs;
  if (trigger.lane === 'hooks') return planHook(trigger, definition, isSettled);
  if (definition.triggersWait) return wait;
  if (trigger.kind === 'event' && !definition.isActive) return inactive;
  return definition.revision < trigger.revision && !isSettled ? unknown : planRun(definition);
}

/**
 * Hooks name their revision, and no state of the source refuses them while it stands. Before one of an update runs, it must
 * be known that what was accepted waits.
 */
function planHook({ kind, revision }: QueuedTrigger, definition: Definition, isSettled: boolean): Plan {
  const { next } = definition;
  if (kind === 'describe' && revision === next?.revision)
    return { kind, definition: { ...definition, ...next, configuredFrom: null } };
  if (!isSettled && (kind !== 'describe' || revision !== definition.revision)) return unknown;
  if (revision !== definition.revision) return gone;
  return kind === 'describe' ? { kind, definition } : planRun(definition);
}

/** A trigger that names a newer revision than stands was requested before that was swapped back. */
const planRun = (definition: Definition): Plan =>
  definition.configuredFrom === null ? wait : { kind: 'invoke', definition };

/** Its runs, or its calls, that are under way: on what they run, as `isolateOf` tells. */
export interface Running {
  readonly name: LaneName;
  readonly runsOn: unknown;
}

/** What has an isolate of its own, with its own copy of the db. */
export const isolateOf = ({ revision, settings }: Pick<Definition, 'revision' | 'settings'>): string =>
  `${revision}/${settings?.memoryMb ?? ''}`;

/**
 * `deactivate` comes behind all that was accepted before it, and `activate` behind what runs on another revision. A run and
 * a call go on beside each other in one isolate alone: of two, one would not see what the other writes.
 */
export function waitsForOthers(
  { kind, lane }: Pick<QueuedTrigger, 'kind' | 'lane'>,
  definition: Definition | undefined,
  running: readonly Running[],
): boolean {
  if (definition === undefined || running.length === 0) return false;
  const isElsewhere = ({ name, runsOn }: Running): boolean => name !== lane && runsOn !== isolateOf(definition);
  if (lane !== 'hooks') return running.some(isElsewhere);
  return definition.isUpdating && (kind === 'deactivate' || (kind === 'activate' && running.some(isElsewhere)));
}
