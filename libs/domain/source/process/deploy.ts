// Decides the process of deploying a source: describe it, check the props, run the hooks one by one, deploy or refuse.
import type { Json, JsonObject } from '../../json.ts';
import { findEarlierRequest, conflictMessage } from '../../definition/recorded-requests.ts';
import type { RecordedRequest } from '../../definition/recorded-requests.ts';
import type { Decided, Millis } from '../../message.ts';
import type { Sealed } from '../../secrets/sealed.ts';
import { boundedError, describeError } from '../../component/bounded-output.ts';
import { deployChannel } from './channel.ts';
import { configure, dataBytesMax, isTooLarge, propsTooLarge } from './configure.ts';
import type { HookEvent, HookKind, SourceCommand, SourceEvent, Trigger } from '../messages.ts';
import { codeHashOf } from '../../component/program/program.ts';
import type { AppOf } from '../../component/props/accounts/account-props.ts';
import { slugOf, uniqueSlug } from '../slug.ts';
import { afterHook, awaitedHook, eventNamesField } from '../state/source.ts';
import type { Source } from '../state/source.ts';
import type { Sources } from '../state/sources.ts';

/** What decisions about a source depend on, with the data key of its workspace to seal and unseal values. */
export interface SourceContext {
  readonly at: Millis;
  readonly seal: (value: Json) => Sealed;
  /** Throws when the value was not sealed with that key. */
  readonly unseal: (sealed: Sealed) => Json;
  /** The app of an account of the process's workspace; undefined: it has no such account. */
  readonly appOf: AppOf;
}

export type SourceDecided = Decided<SourceEvent> | Decided<Trigger>;
type RefusalData = (Decided<SourceEvent> & { readonly type: 'SourceDeployRefused' })['data'];

/** The revision in a refusal that began nothing. */
const noRevision = 0;

export function decideDeploy(
  state: Sources,
  command: SourceCommand & { readonly type: 'DeploySource' },
  { at }: Pick<SourceContext, 'at'>,
): readonly SourceDecided[] {
  const { sourceId, name, ...deployment } = command.data;
  const { workspace } = command;
  const earlier = findEarlierRequest(state.requests, { workspace, id: sourceId, at, request: deployment });
  if (earlier === 'conflict' || (earlier === undefined && state.byId.has(sourceId)))
    return [refused({ sourceId, revision: noRevision, ...conflictRefusal })];
  if (earlier !== undefined) return [refused({ sourceId, revision: noRevision, ...repeatedRefusal(earlier) })];
  const deploying = { ...deployment, sourceId, revision: 1, codeHash: codeHashOf(deployment), requestedName: name };
  if (isTooLarge(deploying)) return [refused({ sourceId, revision: noRevision, ...codeAndPropsTooLarge })];
  const deployingEvent: SourceDecided = { type: 'SourceDeploying', data: deploying };
  if (deployment.kind === 'channel')
    return [deployingEvent, ...deployChannel(state, { sourceId, name: name ?? sourceId, workspace })];
  return [deployingEvent, trigger(sourceId, 1, 'describe', deployment.configuredProps)];
}

export const codeAndPropsTooLarge = {
  reason: 'component_invalid',
  message: `Code and props together are too large: at most ${dataBytesMax} bytes are kept.`,
} as const;

const conflictRefusal = { reason: 'idempotency_conflict', message: conflictMessage } as const;

/** Repeats the refusal of a refused deploy; any other deploy has succeeded or is under way. */
function repeatedRefusal({ id, refusal }: RecordedRequest): Omit<RefusalData, 'sourceId' | 'revision'> {
  if (refusal !== null) return { ...refusal, existingId: id };
  return { reason: 'repeated', message: `The same request has made source ${id} before.`, existingId: id };
}

/** The next step after the outcome that `source` awaits. */
export function decideDeployStep(
  state: Sources,
  source: Source,
  { event, context }: { readonly event: HookEvent; readonly context: SourceContext },
): readonly SourceDecided[] {
  const { sourceId, revision } = event.data;
  const after = afterHook(source, event);
  if (event.type === 'HookFailed') return [hookRefused(after, event)];
  if (event.type === 'HookSucceeded') return [nextStep(sourceId, after)];
  const { manifest, bundle, dataStores } = event.data;
  const readValues = (): JsonObject =>
    (source.configuredProps === null ? {} : context.unseal(source.configuredProps)) as JsonObject;
  const configured = configure(manifest, readValues, { ...context, dataStores });
  if ('reason' in configured) return [refused({ sourceId, revision, ...configured, console: after.console })];
  const name = source.requestedName ?? manifest.name;
  const nameSlug = uniqueSlug(slugOf(name), state.slugs.get(source.workspace) ?? new Map());
  const data = { sourceId, revision, manifest, name, nameSlug, ...(bundle && { bundle }), props: configured.props };
  if (isTooLarge(data)) return [refused({ sourceId, revision, ...propsTooLarge, console: after.console })];
  return [{ type: 'SourceConfigured', data }, nextStep(sourceId, { ...after, hooks: manifest.hooks })];
}

function nextStep(sourceId: string, source: Source): SourceDecided {
  const { revision, console } = source;
  const next = awaitedHook(source);
  if (next !== undefined) return trigger(sourceId, revision, next);
  return { type: 'SourceDeployed', data: { sourceId, revision, console, ...eventNamesField(source) } };
}

function hookRefused({ revision, console }: Source, { data }: HookEvent & { readonly type: 'HookFailed' }) {
  return refused({ sourceId: data.sourceId, revision, ...hookFailureRefusal(data), console });
}

/** The refusal of a process whose hook failed. */
export function hookFailureRefusal({
  error: thrown,
  kind,
  during,
}: Pick<Extract<HookEvent, { type: 'HookFailed' }>['data'], 'error' | 'kind' | 'during'>) {
  const error = boundedError(thrown);
  const description = describeError(error);
  if (during !== undefined)
    return { reason: 'hook_failed', message: `${during} failed: ${description}`, error } as const;
  if (kind === 'describe')
    return { reason: 'component_invalid', message: `The component cannot be loaded: ${description}`, error } as const;
  return { reason: 'hook_failed', message: `The hook ${kind} failed: ${description}`, error } as const;
}

/** `argument`: sealed, of the trigger. */
export const trigger = (
  sourceId: string,
  revision: number,
  kind: HookKind,
  argument: Sealed | null = null,
): Decided<Trigger> => ({
  type: 'TriggerRequested',
  data: { sourceId, kind, revision, ...(argument === null ? {} : { asked: argument }) },
});

const refused = (data: RefusalData): SourceDecided => ({ type: 'SourceDeployRefused', data });
