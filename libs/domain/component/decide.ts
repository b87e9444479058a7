// Decides about sources: commands begin a process or are refused, hook outcomes take it a step further.
import { decideDelete, decideDeleted } from './delete.ts';
import { decideDeploy, decideDeployStep } from './deploy.ts';
import type { SourceContext, SourceDecided } from './deploy.ts';
import type { HookEvent, SourceCommand } from './messages.ts';
import { awaits } from './sources.ts';
import type { Sources } from './sources.ts';

export function decideSource(
  state: Sources,
  command: SourceCommand,
  context: Pick<SourceContext, 'at'>,
): readonly SourceDecided[] {
  return command.type === 'DeploySource' ? decideDeploy(state, command, context) : decideDelete(state, command);
}

/** Nothing for an outcome that no process waits for: it comes late, twice, or out of order. */
export function decideHookOutcome(state: Sources, event: HookEvent, context: SourceContext): readonly SourceDecided[] {
  const source = state.byId.get(event.data.sourceId);
  if (source === undefined || !awaits(source, event)) return [];
  return source.status === 'deleting'
    ? decideDeleted(source, event)
    : decideDeployStep(state, source, { event, context });
}
