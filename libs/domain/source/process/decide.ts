// Decides about sources: a command begins a process or is refused, and each hook outcome continues it by a step.
import { decideDelete, decideDeleted } from './delete.ts';
import { decideDeploy, decideDeployStep } from './deploy.ts';
import type { SourceContext, SourceDecided } from './deploy.ts';
import type { HookEvent, SourceCommand } from '../messages.ts';
import { awaitedHook, awaitsOutcome } from '../state/source.ts';
import { decideUpdate, decideUpdateStep, decideFailedHook as failedUpdate } from './update.ts';
import type { UpdateContext } from './update.ts';
import type { Sources } from '../state/sources.ts';

export function decideSource(
  state: Sources,
  command: SourceCommand,
  context: Pick<SourceContext, 'at'>,
): readonly SourceDecided[] {
  switch (command.type) {
    case 'DeploySource':
      return decideDeploy(state, command, context);
    case 'UpdateSource':
      return decideUpdate(state, command);
    case 'DeleteSource':
      return decideDelete(state, command);
  }
}

/** Decides nothing for an outcome that no process waits for: it is late, repeated, or out of order. */
export function decideHookOutcome(
  state: Sources,
  event: HookEvent,
  context: SourceContext & Partial<UpdateContext>,
): readonly SourceDecided[] {
  const source = state.byId.get(event.data.sourceId);
  if (source === undefined || !awaitsOutcome(source, event)) return [];
  switch (source.status) {
    case 'deleting':
      return decideDeleted(source, event);
    case 'updating':
      return decideUpdateStep(state, source, { event, context: { currentConfiguration: undefined, ...context } });
    case 'deploying':
    case 'deployed':
      return decideDeployStep(state, source, { event, context });
  }
}

/** Ends the unfinished process if the outcome of its hook is unreadable, so that the source is not busy for ever. */
export function decideUnusableOutcome(state: Sources, sourceId: string, message: string): readonly SourceDecided[] {
  const source = state.byId.get(sourceId);
  const kind = source === undefined ? undefined : awaitedHook(source);
  if (source === undefined || kind === undefined) return [];
  const { status, revision, console, createdAt } = source;
  if (status === 'updating') {
    const after = { ...source, ended: [...source.ended, kind] };
    return failedUpdate(state, sourceId, after, { kind, error: { name: 'Error', message } });
  }
  if (status === 'deleting') return [{ type: 'SourceDeleted', data: { sourceId, createdAt, console } }];
  const reason = 'component_invalid';
  return [{ type: 'SourceDeployRefused', data: { sourceId, revision, reason, message, console } }];
}
