// Decides whether a trigger can run now: definitions, keys and triggers are read independently of each other.
import type { QueuedTrigger } from '../source/queued-trigger.ts';
import type { Definition } from '../source/definitions.ts';
import type { KeyState } from '../../../domain/workspace/keyring.ts';
import type { LaneName } from '../source/source-state.ts';

export type Plan =
  /** The revision or key that it needs is on the log but has not been read yet; or an update is in progress. */
  | { readonly kind: 'wait' }
  /** The source, or the revision that the trigger names, is unknown: not read yet, or gone. */
  | { readonly kind: 'unknown' }
  /** The trigger carries its code, and has no source. */
  | { readonly kind: 'brought_code' }
  | { readonly kind: 'refuse'; readonly message: string; readonly name?: string }
  /** `previous`: the current revision, if an update's next one is described; absent: the described one is the first. */
  | { readonly kind: 'describe'; readonly definition: Definition; readonly previous?: Definition }
  | { readonly kind: 'invoke'; readonly definition: Definition };

export interface PlanInput {
  readonly definition: Definition | undefined;
  /** Whether every definition older than the trigger was read; if so, an unknown source is gone. */
  readonly isCaughtUp: boolean;
  readonly key: KeyState;
}

const wait: Plan = { kind: 'wait' };
const unknown: Plan = { kind: 'unknown' };
const broughtCode: Plan = { kind: 'brought_code' };
const gone: Plan = { kind: 'refuse', message: 'The source was deleted, or its deploy was refused' };
const inactive: Plan = {
  kind: 'refuse',
  message: 'The source is inactive: events of what it listens to are not run',
  name: 'SourceInactiveError',
};
const keyUnreadable: Plan = {
  kind: 'refuse',
  message: "The workspace's data key does not open; bring the topic keys back",
  name: 'SealedError',
};
const keyErased: Plan = { kind: 'refuse', message: "The workspace's data key was erased", name: 'SealedError' };

export function decidePlan(trigger: QueuedTrigger, { definition, isCaughtUp, key }: PlanInput): Plan {
  if (trigger.refusal !== undefined) return { kind: 'refuse', message: trigger.refusal.message };
  if (trigger.bringsCode !== true) {
    if (definition === undefined) return isCaughtUp ? gone : unknown;
    if (definition.revision === 0) return wait;
  }
  if (key === 'erased') return keyErased;
  if (key === 'closed') return keyUnreadable;
  if (key === 'not_read_yet') return wait;
  if (definition === undefined) return broughtCode;
  if (trigger.lane === 'hooks') return planHook(trigger, definition, isCaughtUp);
  if (definition.triggersWait) return wait;
  if (trigger.kind === 'event' && !definition.isActive) return inactive;
  return definition.revision < trigger.revision && !isCaughtUp ? unknown : planRun(definition);
}

/**
 * A hook names its revision, and runs in any state of the source while that revision is current. Before a hook of an
 * update runs, `sources` must be read far enough that the accepted triggers are known to wait.
 */
function planHook({ kind, revision }: QueuedTrigger, definition: Definition, isCaughtUp: boolean): Plan {
  const { next } = definition;
  if (kind === 'describe' && revision === next?.revision)
    return { kind, definition: { ...definition, ...next, configuredFrom: null }, previous: definition };
  if (!isCaughtUp && (kind !== 'describe' || revision !== definition.revision)) return unknown;
  if (revision !== definition.revision) return gone;
  return kind === 'describe' ? { kind, definition } : planRun(definition);
}

/** A trigger can name a newer revision than the current one: it was requested before the source was swapped back. */
const planRun = (definition: Definition): Plan =>
  definition.configuredFrom === null ? wait : { kind: 'invoke', definition };

/** A lane of runs or calls with something in progress, and its isolate (`isolateOf`). */
export interface RunningLane {
  readonly name: LaneName;
  readonly isolate: unknown;
}

/** Each revision and memory limit has its own isolate, with its own copy of the db. */
export const isolateOf = ({ revision, settings }: Pick<Definition, 'revision' | 'settings'>): string =>
  `${revision}/${settings?.memoryMb ?? ''}`;

/**
 * Whether a trigger must wait: in an update, `deactivate` waits for all runs and calls, `activate` for those in another
 * isolate. A run and a call overlap only in the same isolate: in two, one would not see what the other writes.
 */
export function mustWaitForOthers(
  { kind, lane }: Pick<QueuedTrigger, 'kind' | 'lane'>,
  definition: Definition | undefined,
  running: readonly RunningLane[],
): boolean {
  if (definition === undefined || running.length === 0) return false;
  const isInOtherIsolate = ({ name, isolate }: RunningLane): boolean =>
    name !== lane && isolate !== isolateOf(definition);
  if (lane !== 'hooks') return running.some(isInOtherIsolate);
  return (
    definition.isUpdating &&
    (kind === 'deactivate' || ((kind === 'activate' || kind === 'event_names') && running.some(isInOtherIsolate)))
  );
}
