// Whether a trigger can run now, and on which revision: components and triggers are read independently of each other.
import type { QueuedTrigger } from '../lanes/queued-trigger.ts';
import type { Configured, Definition, Revision } from './definitions.ts';
import type { KeyState } from '../../../domain/secrets/keyring.ts';

export type Plan =
  /** The revision or the key that it needs stands on the log, but was not read yet. */
  | { readonly kind: 'wait' }
  | { readonly kind: 'refuse'; readonly message: string }
  | { readonly kind: 'describe'; readonly code: string }
  | {
      readonly kind: 'invoke';
      readonly definition: Definition;
      readonly revision: Revision;
      readonly configured: Configured;
    };

const wait: Plan = { kind: 'wait' };
const gone: Plan = { kind: 'refuse', message: 'The source was deleted, or its deploy was refused' };
const closed: Plan = { kind: 'refuse', message: "The workspace's data key does not open; bring the topic keys back" };
const erased: Plan = { kind: 'refuse', message: "The workspace's data key was erased" };

export function planOf(trigger: QueuedTrigger, definition: Definition | undefined, key: KeyState): Plan {
  if (trigger.refusal !== undefined) return { kind: 'refuse', message: trigger.refusal.message };
  if (definition === undefined || definition.newest < trigger.revision) return wait;
  if (key === 'erased') return erased;
  if (key === 'closed') return closed;
  if (key === 'not_read_yet') return wait;
  return trigger.lane === 'hooks' ? planHook(trigger, definition) : planRun(definition);
}

/** Hooks name their revision, and no state of the source refuses them while its code stands. */
function planHook({ kind, revision: number }: QueuedTrigger, definition: Definition): Plan {
  const revision = definition.revisions.get(number);
  if (revision === undefined) return gone;
  if (kind === 'describe') return { kind: 'describe', code: revision.code };
  const { configured } = revision;
  return configured === undefined ? wait : { kind: 'invoke', definition, revision, configured };
}

function planRun(definition: Definition): Plan {
  if (definition.gone) return gone;
  const revision = definition.current === undefined ? undefined : definition.revisions.get(definition.current);
  if (revision?.configured === undefined) return wait;
  return { kind: 'invoke', definition, revision, configured: revision.configured };
}
