// Deleting as a process: `deactivate` has its turn, and whatever comes of it the source goes.
import type { Decided } from '../message.ts';
import { trigger } from './deploy.ts';
import type { SourceDecided } from './deploy.ts';
import { boundedError } from './kept-output.ts';
import type { HookEvent, SourceCommand, SourceEvent } from './messages.ts';
import { afterHook } from './sources.ts';
import type { Source, Sources } from './sources.ts';

export function decideDelete(
  state: Sources,
  { data: { sourceId }, workspace }: SourceCommand & { readonly type: 'DeleteSource' },
): readonly SourceDecided[] {
  const source = state.byId.get(sourceId);
  if (source === undefined || source.workspace !== workspace) {
    const message = `There is no source ${sourceId} in this workspace. Check the id.`;
    return [{ type: 'SourceDeleteRefused', data: { sourceId, reason: 'source_not_found', message } }];
  }
  const { status, revision, createdAt } = source;
  if (status !== 'deployed') {
    const message = `Source ${sourceId} is ${status}: wait until that has ended, then try again.`;
    return [{ type: 'SourceDeleteRefused', data: { sourceId, reason: 'busy', message } }];
  }
  const deleting: Decided<SourceEvent> = { type: 'SourceDeleting', data: { sourceId, revision } };
  if (source.hooks.includes('deactivate')) return [deleting, trigger(sourceId, revision, 'deactivate')];
  return [deleting, { type: 'SourceDeleted', data: { sourceId, createdAt, console: [] } }];
}

/** The end of a delete whose `deactivate` has come to its end. */
export function decideDeleted(source: Source, event: HookEvent): readonly SourceDecided[] {
  const { console } = afterHook(source, event);
  const error = event.type === 'HookFailed' ? { error: boundedError(event.data.error) } : {};
  return [
    { type: 'SourceDeleted', data: { sourceId: event.data.sourceId, createdAt: source.createdAt, console, ...error } },
  ];
}
