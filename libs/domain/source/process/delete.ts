// Decides the process of deleting a source: `deactivate` runs, and the source is deleted unless it throws.
import type { Decided } from '../../message.ts';
import { trigger } from './deploy.ts';
import type { SourceDecided } from './deploy.ts';
import { boundedError, describeError } from '../../component/bounded-output.ts';
import { afterHook } from '../state/source.ts';
import type { Source } from '../state/source.ts';
import type { HookEvent, SourceCommand, SourceEvent } from '../messages.ts';
import type { Sources } from '../state/sources.ts';
import { busy, sourceNotFound } from './refusal.ts';

export function decideDelete(
  state: Sources,
  { data: { sourceId, ignoreHookErrors }, workspace }: SourceCommand & { readonly type: 'DeleteSource' },
): readonly SourceDecided[] {
  const source = state.byId.get(sourceId);
  if (source === undefined || source.workspace !== workspace)
    return [{ type: 'SourceDeleteRefused', data: { sourceId, ...sourceNotFound(sourceId) } }];
  const { status, revision, createdAt, active } = source;
  if (status !== 'deployed') return [{ type: 'SourceDeleteRefused', data: { sourceId, ...busy(sourceId, source) } }];
  const ignoreField = ignoreHookErrors === true ? { ignoreHookErrors } : {};
  const deleting: Decided<SourceEvent> = { type: 'SourceDeleting', data: { sourceId, revision, ...ignoreField } };
  if (active && source.hooks.includes('deactivate')) return [deleting, trigger(sourceId, revision, 'deactivate')];
  return [deleting, { type: 'SourceDeleted', data: { sourceId, createdAt, console: [] } }];
}

/** The end of a delete whose `deactivate` has ended. */
export function decideDeleted(source: Source, event: HookEvent): readonly SourceDecided[] {
  const { sourceId } = event.data;
  const { console, createdAt, revision, ignoreHookErrors } = afterHook(source, event);
  if (event.type !== 'HookFailed') return [{ type: 'SourceDeleted', data: { sourceId, createdAt, console } }];
  const error = boundedError(event.data.error);
  if (ignoreHookErrors) return [{ type: 'SourceDeleted', data: { sourceId, createdAt, console, error } }];
  const message = `The hook deactivate failed, so the source stays: ${describeError(error)}`;
  return [
    { type: 'SourceDeleteRefused', data: { sourceId, revision, reason: 'hook_failed', message, error, console } },
  ];
}
