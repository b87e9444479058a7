// The version of records about updates: a program that knows none would take a source for what it was before.
import type { Decided } from '../../message.ts';
import type { SourceDefinition } from '../../definition/messages.ts';
import type { SourceEvent } from '../messages.ts';

const first = 1;
const withUpdates = 2;

const ofUpdates: ReadonlySet<string> = new Set<SourceEvent['type']>([
  'SourceUpdating',
  'SourceSwapped',
  'SourceSwappedBack',
  'SourceUpdated',
  'SourceUpdateRefused',
]);

/** `data`: of any event. An update configures without a name, and a delete that is refused later on names what goes on. */
export function eventVersion({ type, data }: { readonly type: string; readonly data: object }): number {
  if (ofUpdates.has(type)) return withUpdates;
  if (type === 'SourceDeploying') return 'settings' in data ? withUpdates : first;
  if (type === 'SourceConfigured') return 'name' in data ? first : withUpdates;
  return type === 'SourceDeleteRefused' && 'revision' in data ? withUpdates : first;
}

/** Of a source that is as earlier programs would have left it, theirs. */
export function definitionVersion({ data }: Decided<SourceDefinition>): number {
  const { active = true, codeRevision, lastRevision, ignoreHookErrors, update, settings } = data;
  const added = [codeRevision, lastRevision, ignoreHookErrors, update, settings];
  return active && added.every((field) => field === undefined) ? first : withUpdates;
}
