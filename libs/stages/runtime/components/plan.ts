// Whether a trigger can run now: definitions, keys and triggers are read independently of each other.
import type { QueuedTrigger } from '../lanes/queued-trigger.ts';
import type { Definition } from './definitions.ts';
import type { KeyState } from '../../../domain/secrets/keyring.ts';

export type Plan =
  /** The revision or the key that it needs stands on the log, but was not read yet. */
  | { readonly kind: 'wait' }
  /** Nothing is known of its source: it was not read yet, or is gone. */
  | { readonly kind: 'unknown' }
  | { readonly kind: 'refuse'; readonly message: string }
  | { readonly kind: 'describe' | 'invoke'; readonly definition: Definition };

export interface PlanGiven {
  readonly definition: Definition | undefined;
  /** Whether all was read that stood when the trigger was requested: what is not known then is gone. */
  readonly isSettled: boolean;
  readonly key: KeyState;
}

const wait: Plan = { kind: 'wait' };
const unknown: Plan = { kind: 'unknown' };
const gone: Plan = { kind: 'refuse', message: 'The source was deleted, or its deploy was refused' };
const closed: Plan = { kind: 'refuse', message: "The workspace's data key does not open; bring the topic keys back" };
const erased: Plan = { kind: 'refuse', message: "The workspace's data key was erased" };

export function planOf(trigger: QueuedTrigger, { definition, isSettled, key }: PlanGiven): Plan {
  if (trigger.refusal !== undefined) return { kind: 'refuse', message: trigger.refusal.message };
  if (definition === undefined) return isSettled ? gone : unknown;
  if (definition.revision < trigger.revision || definition.revision === 0) return wait;
  if (key === 'erased') return erased;
  if (key === 'closed') return closed;
  if (key === 'not_read_yet') return wait;
  return trigger.lane === 'hooks' ? planHook(trigger, definition) : planRun(definition);
}

/** Hooks name their revision, and no state of the source refuses them while it stands. */
function planHook({ kind, revision }: QueuedTrigger, definition: Definition): Plan {
  if (revision !== definition.revision) return gone;
  return kind === 'describe' ? { kind, definition } : planRun(definition);
}

const planRun = (definition: Definition): Plan =>
  definition.configuredFrom === null ? wait : { kind: 'invoke', definition };
