// Decides the process of an update: describe the new revision, `deactivate` the old one, swap, `activate` or swap back.
import type { Json, JsonObject } from '../../json.ts';
import type { Decided } from '../../message.ts';
import type { Sealed } from '../../secrets/sealed.ts';
import { codeAndPropsTooLarge, hookFailureRefusal, trigger } from './deploy.ts';
import type { SourceDecided } from './deploy.ts';
import { busy, sourceNotFound } from './refusal.ts';
import { boundedError, describeError } from '../../component/bounded-output.ts';
import type { Manifest } from '../../component/manifest.ts';
import type { HookEvent, SourceCommand, SourceEvent } from '../messages.ts';
import type { DeployRefusal } from '../../definition/deploy-refusal.ts';
import { codeHashOf, programOf } from '../../component/program/program.ts';
import type { Program } from '../../component/program/program.ts';
import type { AppOf } from '../../component/props/accounts/account-props.ts';
import { slugOf, uniqueSlug } from '../slug.ts';
import { changedSettings } from '../source-settings.ts';
import type { Sources } from '../state/sources.ts';
import { refuseForChannel } from './channel.ts';
import { configure, isTooLarge, retainedProps, propsTooLarge } from './configure.ts';
import type { Configuration } from './configure.ts';
import { beginUpdate, applyDescription, swapRevisions, swapBack } from '../state/evolve-update.ts';
import { afterHook, awaitedHook, awaitedRevision, eventNamesField } from '../state/source.ts';
import type { Source } from '../state/source.ts';

type RefusalData = Extract<Decided<SourceEvent>, { type: 'SourceUpdateRefused' }>['data'];

/** The revision in a refusal that began nothing. */
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
  if (source === undefined || source.workspace !== workspace) return refuse(sourceNotFound(sourceId));
  if (source.status !== 'deployed') return refuse(busy(sourceId, source));
  const refusal = refuseForChannel(source, data);
  if (refusal !== undefined) return refuse(refusal);
  const { active = source.active, code, configuredProps = null } = data;
  const revision = code === undefined && configuredProps === null ? source.revision : source.lastRevision + 1;
  const changes = {
    ...(code === undefined ? {} : codeFields({ ...data, code })),
    ...(data.settings === undefined ? {} : { settings: changedSettings(source.settings, data.settings) }),
  };
  const updating = { sourceId, revision, name, active, ...changes, configuredProps, ignoreHookErrors };
  if (isTooLarge(updating)) return refuse(codeAndPropsTooLarge);
  return [
    { type: 'SourceUpdating', data: updating },
    ...continueUpdate(state, sourceId, beginUpdate(source, updating, 0)),
  ];
}

const codeFields = (program: Program): Program & { readonly codeHash: string } => ({
  ...programOf(program),
  codeHash: codeHashOf(program),
});

/** What a decision about an update depends on. */
export interface UpdateContext {
  readonly seal: (value: Json) => Sealed;
  readonly unseal: (sealed: Sealed) => Json;
  readonly appOf: AppOf;
  /** The current revision's configuration, for the outcome of `describe`; undefined: it is unreadable. */
  readonly currentConfiguration: Configuration | undefined;
}

/** The next step after the outcome that `source` awaits. */
export function decideUpdateStep(
  state: Sources,
  source: Source,
  { event, context }: { readonly event: HookEvent; readonly context: UpdateContext },
): readonly SourceDecided[] {
  const { sourceId } = event.data;
  const after = afterHook(source, event);
  if (event.type === 'HookFailed') return decideFailedHook(state, sourceId, after, event.data);
  if (event.type === 'HookSucceeded') return continueUpdate(state, sourceId, after);
  const { revision, manifest, bundle, dataStores } = event.data;
  const configured = configurationOf(after, manifest, { ...context, dataStores });
  if ('reason' in configured) return [updateRefused(sourceId, after, configured, after.active)];
  const next = applyDescription(after, {
    hooks: manifest.hooks,
    http: null,
    timer: null,
    apphook: null,
    configuredFrom: null,
  });
  const data = { sourceId, revision, manifest, ...(bundle && { bundle }), props: configured.props };
  if (isTooLarge(data)) return [updateRefused(sourceId, after, propsTooLarge, after.active)];
  return [{ type: 'SourceConfigured', data }, ...continueUpdate(state, sourceId, next)];
}

function configurationOf(
  source: Source,
  manifest: Manifest,
  context: UpdateContext & { readonly dataStores: readonly string[] | undefined },
): ReturnType<typeof configure> {
  const { currentConfiguration, unseal } = context;
  if (currentConfiguration === undefined)
    return {
      reason: 'props_invalid',
      message: 'What the log holds of the props cannot be read. Deploy the source again.',
    };
  const readValues = (): JsonObject => ({
    ...retainedProps(currentConfiguration, manifest, context),
    ...((source.configuredProps === null ? {} : unseal(source.configuredProps)) as JsonObject),
  });
  return configure(manifest, readValues, context);
}

/** The next step after the hooks that have ended. */
function continueUpdate(state: Sources, sourceId: string, source: Source): readonly SourceDecided[] {
  const kind = awaitedHook(source);
  const argument = kind === 'describe' ? source.configuredProps : null;
  if (kind !== undefined) return [trigger(sourceId, awaitedRevision(source), kind, argument)];
  const { update, active } = source;
  if (update === null) return [];
  if (update.refusal !== null) return [updateRefused(sourceId, source, update.refusal, active)];
  if (update.other === null || update.swapped !== 'not_yet') return [sourceUpdated(state, sourceId, source)];
  const { revision } = update.other;
  return [
    { type: 'SourceSwapped', data: { sourceId, revision } },
    ...continueUpdate(state, sourceId, swapRevisions(source)),
  ];
}

function sourceUpdated(state: Sources, sourceId: string, source: Source): SourceDecided {
  const { revision, console, update, workspace } = source;
  const name = update?.name ?? null;
  const settings = update?.settings === undefined ? {} : { settings: update.settings };
  const data = {
    sourceId,
    revision,
    active: update?.active ?? source.active,
    ...settings,
    console,
    ...eventNamesField(source),
  };
  if (name === null) return { type: 'SourceUpdated', data };
  const slugs = state.slugs.get(workspace);
  const otherSlugs = { has: (slug: string) => slug !== source.nameSlug && slugs?.has(slug) === true };
  return { type: 'SourceUpdated', data: { ...data, name, nameSlug: uniqueSlug(slugOf(name), otherSlugs) } };
}

/** `after`: the source after the hook that threw has ended. */
export function decideFailedHook(
  state: Sources,
  sourceId: string,
  after: Source,
  failure: Parameters<typeof hookFailureRefusal>[0],
): readonly SourceDecided[] {
  const { kind } = failure;
  const refusal: DeployRefusal = hookFailureRefusal(failure);
  const { update, active, ignoreHookErrors } = after;
  const refuse = (refusal: DeployRefusal, isActive = active): readonly SourceDecided[] => [
    updateRefused(sourceId, after, refusal, isActive),
  ];
  if (kind === 'describe') return refuse(refusal);
  if (kind === 'deactivate' && ignoreHookErrors) return continueUpdate(state, sourceId, after);
  if (update?.swapped === 'swapped' && update.other !== null) {
    const swappedBackData = { sourceId, revision: update.other.revision, ...refusal };
    return [
      { type: 'SourceSwappedBack', data: swappedBackData },
      ...continueUpdate(state, sourceId, swapBack(after, refusal)),
    ];
  }
  const firstRefusal = update?.refusal ?? null;
  if (firstRefusal === null) return refuse(refusal);
  const message = `${asSentence(firstRefusal.message)} The revision before could not be activated again, so the source is inactive: ${describeError(boundedError(failure.error))}`;
  return refuse({ ...firstRefusal, message }, false);
}

const asSentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);

function updateRefused(sourceId: string, { revision, console }: Source, refusal: DeployRefusal, active: boolean) {
  return refused({ sourceId, revision, ...refusal, active, console });
}

const refused = (data: RefusalData): SourceDecided => ({ type: 'SourceUpdateRefused', data });
