// Decides the process of an update: describe the new revision, `deactivate` the old one, swap, `activate` or swap back.
import type { Json, JsonObject } from '../../json.ts';
import type { Decided } from '../../message.ts';
import type { Sealed } from '../../secrets/sealed.ts';
import { codeAndPropsTooLarge, failedHook, trigger } from './deploy.ts';
import type { SourceDecided } from './deploy.ts';
import { busy, sourceNotFound } from './refusal.ts';
import { boundedError, describeError } from '../../component/kept-output.ts';
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
import { configure, isTooLarge, keptProps, propsTooLarge } from './configure.ts';
import type { Configuration } from './configure.ts';
import { begunUpdate, describedUpdate, swapped, swappedBack } from '../state/evolve-update.ts';
import { afterHook, awaitedHook, awaitedRevision, namedEvents } from '../state/source.ts';
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
  const brought = {
    ...(code === undefined ? {} : broughtCode({ ...data, code })),
    ...(data.settings === undefined ? {} : { settings: changedSettings(source.settings, data.settings) }),
  };
  const updating = { sourceId, revision, name, active, ...brought, configuredProps, ignoreHookErrors };
  if (isTooLarge(updating)) return refuse(codeAndPropsTooLarge);
  return [{ type: 'SourceUpdating', data: updating }, ...goOn(state, sourceId, begunUpdate(source, updating, 0))];
}

const broughtCode = (program: Program): Program & { readonly codeHash: string } => ({
  ...programOf(program),
  codeHash: codeHashOf(program),
});

/** What a decision about an update depends on. */
export interface UpdateContext {
  readonly seal: (value: Json) => Sealed;
  readonly unseal: (sealed: Sealed) => Json;
  readonly appOf: AppOf;
  /** The current revision's configuration, for the outcome of `describe`; undefined: it is unreadable. */
  readonly standing: Configuration | undefined;
}

/** The next step after the outcome that `source` awaits. */
export function decideUpdateStep(
  state: Sources,
  source: Source,
  { event, context }: { readonly event: HookEvent; readonly context: UpdateContext },
): readonly SourceDecided[] {
  const { sourceId } = event.data;
  const after = afterHook(source, event);
  if (event.type === 'HookFailed') return failed(state, sourceId, after, event.data);
  if (event.type === 'HookSucceeded') return goOn(state, sourceId, after);
  const { revision, manifest, bundle, dataStores } = event.data;
  const configured = configurationOf(after, manifest, { ...context, dataStores });
  if ('reason' in configured) return [refusedAs(sourceId, after, configured, after.active)];
  const next = describedUpdate(after, {
    hooks: manifest.hooks,
    http: null,
    timer: null,
    apphook: null,
    configuredFrom: null,
  });
  const data = { sourceId, revision, manifest, ...(bundle && { bundle }), props: configured.props };
  if (isTooLarge(data)) return [refusedAs(sourceId, after, propsTooLarge, after.active)];
  return [{ type: 'SourceConfigured', data }, ...goOn(state, sourceId, next)];
}

function configurationOf(
  source: Source,
  manifest: Manifest,
  context: UpdateContext & { readonly dataStores: readonly string[] | undefined },
): ReturnType<typeof configure> {
  const { standing, unseal } = context;
  if (standing === undefined)
    return {
      reason: 'props_invalid',
      message: 'What the log holds of the props cannot be read. Deploy the source again.',
    };
  const given = (): JsonObject => ({
    ...keptProps(standing, manifest, context),
    ...((source.configuredProps === null ? {} : unseal(source.configuredProps)) as JsonObject),
  });
  return configure(manifest, given, context);
}

/** The next step after the hooks that have ended. */
function goOn(state: Sources, sourceId: string, source: Source): readonly SourceDecided[] {
  const kind = awaitedHook(source);
  const asked = kind === 'describe' ? source.configuredProps : null;
  if (kind !== undefined) return [trigger(sourceId, awaitedRevision(source), kind, asked)];
  const { update, active } = source;
  if (update === null) return [];
  if (update.refusal !== null) return [refusedAs(sourceId, source, update.refusal, active)];
  if (update.other === null || update.swapped !== 'not_yet') return [updatedAs(state, sourceId, source)];
  const { revision } = update.other;
  return [{ type: 'SourceSwapped', data: { sourceId, revision } }, ...goOn(state, sourceId, swapped(source))];
}

function updatedAs(state: Sources, sourceId: string, source: Source): SourceDecided {
  const { revision, console, update, workspace } = source;
  const name = update?.name ?? null;
  const settings = update?.settings === undefined ? {} : { settings: update.settings };
  const data = {
    sourceId,
    revision,
    active: update?.active ?? source.active,
    ...settings,
    console,
    ...namedEvents(source),
  };
  if (name === null) return { type: 'SourceUpdated', data };
  const slugs = state.slugs.get(workspace);
  const taken = { has: (slug: string) => slug !== source.nameSlug && slugs?.has(slug) === true };
  return { type: 'SourceUpdated', data: { ...data, name, nameSlug: uniqueSlug(slugOf(name), taken) } };
}

/** `after`: the source after the hook that threw has ended. */
export function failed(
  state: Sources,
  sourceId: string,
  after: Source,
  thrown: Parameters<typeof failedHook>[0],
): readonly SourceDecided[] {
  const { kind } = thrown;
  const refusal: DeployRefusal = failedHook(thrown);
  const { update, active, ignoreHookErrors } = after;
  const refuse = (refusal: DeployRefusal, isActive = active): readonly SourceDecided[] => [
    refusedAs(sourceId, after, refusal, isActive),
  ];
  if (kind === 'describe') return refuse(refusal);
  if (kind === 'deactivate' && ignoreHookErrors) return goOn(state, sourceId, after);
  if (update?.swapped === 'swapped' && update.other !== null) {
    const back = { sourceId, revision: update.other.revision, ...refusal };
    return [{ type: 'SourceSwappedBack', data: back }, ...goOn(state, sourceId, swappedBack(after, refusal))];
  }
  const first = update?.refusal ?? null;
  if (first === null) return refuse(refusal);
  const message = `${asSentence(first.message)} The revision before could not be activated again, so the source is inactive: ${describeError(boundedError(thrown.error))}`;
  return refuse({ ...first, message }, false);
}

const asSentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);

function refusedAs(sourceId: string, { revision, console }: Source, refusal: DeployRefusal, active: boolean) {
  return refused({ sourceId, revision, ...refusal, active, console });
}

const refused = (data: RefusalData): SourceDecided => ({ type: 'SourceUpdateRefused', data });
