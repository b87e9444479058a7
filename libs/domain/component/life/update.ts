// Updating as a process: describe what is new, `deactivate` what was, swap, `activate`, or swap back.
import type { Decided } from '../../message.ts';
import { trigger } from '../deploy.ts';
import type { SourceDecided } from '../deploy.ts';
import { busy } from '../delete.ts';
import { boundedError, describeError } from '../kept-output.ts';
import type { ComponentError, DeployRefusal, HookEvent, HookKind, SourceCommand, SourceEvent } from '../messages.ts';
import { slugOf, uniqueSlug } from '../slug.ts';
import type { Sources } from '../sources.ts';
import { begunUpdate } from './evolve-update.ts';
import { afterHook, awaitedHook, awaitedRevision } from './source.ts';
import type { Source } from './source.ts';

type RefusalData = Extract<Decided<SourceEvent>, { type: 'SourceUpdateRefused' }>['data'];

/** Of a refusal that began nothing. */
const noRevision = 0;

export function decideUpdate(
  state: Sources,
  { data, workspace }: SourceCommand & { readonly type: 'UpdateSource' },
): readonly SourceDecided[] {
  const { sourceId, name = null, ignoreHookErrors = false } = data;
  const refuse = (refusal: DeployRefusal): readonly SourceDecided[] => [
    refused({ sourceId, revision: noRevision, ...refusal }),
  ];
  const source = state.byId.get(sourceId);
  if (source === undefined || source.workspace !== workspace) {
    const message = `There is no source ${sourceId} in this workspace. Check the id.`;
    return refuse({ reason: 'source_not_found', message });
  }
  if (source.status !== 'deployed') return refuse(busy(sourceId, source));
  const { active = source.active } = data;
  const updating = { sourceId, revision: source.revision, name, active, configuredProps: null, ignoreHookErrors };
  return [{ type: 'SourceUpdating', data: updating }, ...goOn(state, sourceId, begunUpdate(source, updating, 0))];
}

/** The next step after the outcome that `source` awaits. */
export function decideUpdateStep(state: Sources, source: Source, event: HookEvent): readonly SourceDecided[] {
  const { sourceId } = event.data;
  const after = afterHook(source, event);
  return event.type === 'HookFailed' ? failed(state, sourceId, after, event.data) : goOn(state, sourceId, after);
}

/** What comes after the hooks that have ended. */
function goOn(state: Sources, sourceId: string, source: Source): readonly SourceDecided[] {
  const kind = awaitedHook(source);
  if (kind !== undefined) return [trigger(sourceId, awaitedRevision(source), kind)];
  const { update, active } = source;
  if (update === null) return [];
  if (update.refusal !== null) return [refusedAs(sourceId, source, update.refusal, active)];
  return [updatedAs(state, sourceId, source)];
}

function updatedAs(state: Sources, sourceId: string, source: Source): SourceDecided {
  const { revision, console, update, workspace } = source;
  const name = update?.name ?? null;
  const data = { sourceId, revision, active: update?.active ?? source.active, console };
  if (name === null) return { type: 'SourceUpdated', data };
  const slugs = state.slugs.get(workspace);
  const taken = { has: (slug: string) => slug !== source.nameSlug && slugs?.has(slug) === true };
  return { type: 'SourceUpdated', data: { ...data, name, nameSlug: uniqueSlug(slugOf(name), taken) } };
}

/** `after`: with the hook that threw as one that has ended. */
export function failed(
  state: Sources,
  sourceId: string,
  after: Source,
  { error: thrown, kind }: { readonly error: ComponentError; readonly kind: HookKind },
): readonly SourceDecided[] {
  const error = boundedError(thrown);
  const message = `The hook ${kind} failed: ${describeError(error)}`;
  const refusal: DeployRefusal = { reason: 'hook_failed', message, error };
  if (kind === 'deactivate' && after.ignoreHookErrors) return goOn(state, sourceId, after);
  return [refusedAs(sourceId, after, refusal, after.active)];
}

function refusedAs(sourceId: string, { revision, console }: Source, refusal: DeployRefusal, active: boolean) {
  return refused({ sourceId, revision, ...refusal, active, console });
}

const refused = (data: RefusalData): SourceDecided => ({ type: 'SourceUpdateRefused', data });
