// Deploying as a process: describe, check the props, then the hooks one by one, until it is deployed or refused.
import { createHash } from 'node:crypto';
import type { Json, JsonObject } from '../json.ts';
import { earlierThan } from '../definition/requests.ts';
import type { KeptRequest } from '../definition/requests.ts';
import { conflictMessage } from '../listener/refusal.ts';
import type { Decided, Millis } from '../message.ts';
import type { Sealed } from '../secrets/sealed.ts';
import { sizes } from '../sizes.ts';
import { boundedError, describeError } from './kept-output.ts';
import type { Manifest } from './manifest.ts';
import { manifestProblems } from './manifest-problems.ts';
import type { HookEvent, HookKind, PropProblem, SourceCommand, SourceEvent, Trigger } from './messages.ts';
import { validateProps } from './props/validate.ts';
import { slugOf, uniqueSlug } from './slug.ts';
import { afterHook, awaitedHook } from './life/source.ts';
import type { Source } from './life/source.ts';
import type { Sources } from './sources.ts';

/** Opens and closes values with the data key of the process's workspace. */
export interface SourceContext {
  readonly at: Millis;
  readonly seal: (value: Json) => Sealed;
  /** Throws when the value was not sealed with that key. */
  readonly unseal: (sealed: Sealed) => Json;
}

export type SourceDecided = Decided<SourceEvent> | Decided<Trigger>;
type RefusalData = (Decided<SourceEvent> & { readonly type: 'SourceDeployRefused' })['data'];

/** What an event may hold of a record; the rest is for the envelope. */
const dataBytesMax = sizes.recordBytes - 2 * 1024;
/** Problems named in one message. */
const problemsShownMax = 20;
/** Of a refusal that began nothing. */
const noRevision = 0;

export function decideDeploy(
  state: Sources,
  command: SourceCommand & { readonly type: 'DeploySource' },
  { at }: Pick<SourceContext, 'at'>,
): readonly SourceDecided[] {
  const { sourceId, name, ...given } = command.data;
  const { workspace } = command;
  const first = earlierThan(state.requests, { workspace, id: sourceId, at, request: given });
  if (first === 'conflict' || (first === undefined && state.byId.has(sourceId)))
    return [refused({ sourceId, revision: noRevision, ...conflict })];
  if (first !== undefined) return [refused({ sourceId, revision: noRevision, ...repeated(first) })];
  const codeHash = createHash('sha256').update(given.code).digest('hex');
  const deploying = { ...given, sourceId, revision: 1, codeHash, requestedName: name };
  if (tooLarge(deploying)) {
    const message = `Code and props together are too large: at most ${dataBytesMax} bytes are kept.`;
    return [refused({ sourceId, revision: noRevision, reason: 'component_invalid', message })];
  }
  return [{ type: 'SourceDeploying', data: deploying }, trigger(sourceId, 1, 'describe')];
}

const conflict = { reason: 'idempotency_conflict', message: conflictMessage } as const;

/** A refused deploy is refused again in the same words; any other stands, or is under way. */
function repeated({ id, refusal }: KeptRequest): Omit<RefusalData, 'sourceId' | 'revision'> {
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
  if (event.type === 'HookFailed') return [refusedByHook(after, event)];
  if (event.type === 'HookSucceeded') return [nextStep(sourceId, after)];
  const refuse = (
    reason: RefusalData['reason'],
    message: string,
    problems?: readonly PropProblem[],
  ): readonly SourceDecided[] => {
    const told = problems === undefined ? {} : { problems: problems.slice(0, problemsShownMax) };
    return [refused({ sourceId, revision, reason, message, console: after.console, ...told })];
  };
  const { manifest } = event.data;
  const problems = manifestProblems(manifest);
  if (problems.length > 0) return refuse('component_invalid', listed(problems));
  const props = propsOf(source, manifest, context);
  if ('refusal' in props) return refuse('props_invalid', props.refusal, props.problems);
  const name = source.requestedName ?? manifest.name;
  const nameSlug = uniqueSlug(slugOf(name), state.slugs.get(source.workspace) ?? new Map());
  const configured = { sourceId, revision, manifest, name, nameSlug, props: props.values };
  if (tooLarge(configured)) {
    return refuse('props_invalid', `The props together are too large: at most ${dataBytesMax} bytes are kept.`);
  }
  return [{ type: 'SourceConfigured', data: configured }, nextStep(sourceId, { ...after, hooks: manifest.hooks })];
}

type SealedProps =
  | { readonly values: Record<string, Json | Sealed> }
  | { readonly refusal: string; readonly problems?: readonly PropProblem[] };

/** Secret values sealed one by one, the rest clear. */
function propsOf({ configuredProps }: Source, manifest: Manifest, { seal, unseal }: SourceContext): SealedProps {
  let given: Json;
  try {
    given = configuredProps === null ? {} : unseal(configuredProps);
  } catch {
    return { refusal: 'The props cannot be opened with the data key of this workspace. Deploy the source again.' };
  }
  const validated = validateProps(manifest, given as JsonObject);
  if ('problems' in validated) {
    const { problems } = validated;
    return { refusal: listed(problems.map(({ message }) => message)), problems };
  }
  const secret = new Set(manifest.props.filter((prop) => prop.secret === true).map((prop) => prop.name));
  const values = Object.entries(validated.values).map(([name, value]: [string, Json]) => [
    name,
    secret.has(name) ? seal(value) : value,
  ]);
  return { values: Object.fromEntries(values) as Record<string, Json | Sealed> };
}

function nextStep(sourceId: string, source: Source): SourceDecided {
  const { revision, console } = source;
  const next = awaitedHook(source);
  if (next !== undefined) return trigger(sourceId, revision, next);
  return { type: 'SourceDeployed', data: { sourceId, revision, console } };
}

function refusedByHook({ revision, console }: Source, { data }: HookEvent & { readonly type: 'HookFailed' }) {
  const error = boundedError(data.error);
  const described = data.kind === 'describe';
  const reason = described ? 'component_invalid' : 'hook_failed';
  const what = described ? 'The component cannot be loaded' : `The hook ${data.kind} failed`;
  const message = `${what}: ${describeError(error)}`;
  return refused({ sourceId: data.sourceId, revision, reason, message, error, console });
}

export const trigger = (sourceId: string, revision: number, kind: HookKind): Decided<Trigger> => ({
  type: 'TriggerRequested',
  data: { sourceId, kind, revision },
});

const refused = (data: RefusalData): SourceDecided => ({ type: 'SourceDeployRefused', data });

const tooLarge = (data: unknown): boolean => Buffer.byteLength(JSON.stringify(data)) > dataBytesMax;

function listed(problems: readonly string[]): string {
  const more = problems.length - problemsShownMax;
  return [...problems.slice(0, problemsShownMax), ...(more > 0 ? [`And ${more} more.`] : [])].join(' ');
}
