// Folds the events of an update into a source.
import type { RevisionDefinition } from '../definition/messages.ts';
import type { SourceEvent } from '../messages.ts';
import type { DeployRefusal } from '../../definition/deploy-refusal.ts';
import type { Source } from './source.ts';

type DataOf<Type extends SourceEvent['type']> = Extract<SourceEvent, { type: Type }>['data'];

export const noProcess = {
  configuredProps: null,
  ended: [],
  console: [],
  ignoreHookErrors: false,
  update: null,
} as const;

/** `from`: the event's offset on its topic, or a lower one. */
export function beginUpdate(source: Source, data: DataOf<'SourceUpdating'>, from: number): Source {
  const { revision, name, active, code, configuredProps, settings, ignoreHookErrors } = data;
  const other =
    revision === source.revision ? null : revisionOf(source, revision, code === undefined ? undefined : from);
  const changes = { name, active, ...(settings === undefined ? {} : { settings }) };
  const update = { ...changes, swapped: 'not_yet', other, refusal: null } as const;
  const lastRevision = Math.max(source.lastRevision, revision);
  return { ...source, ...noProcess, status: 'updating', configuredProps, ignoreHookErrors, lastRevision, update };
}

/** A revision of which only the code is known. */
function revisionOf(source: Source, revision: number, from: number | undefined): RevisionDefinition {
  const { codeRevision, codeFrom } = source;
  const code = from === undefined ? { codeRevision, codeFrom } : { codeRevision: revision, codeFrom: from };
  return { revision, ...code, configuredFrom: null, hooks: [], http: null, timer: null, apphook: null };
}

/** The new revision with the facts from `describe`. */
export type Described = Pick<
  RevisionDefinition,
  'hooks' | 'http' | 'timer' | 'configuredFrom' | 'accounts' | 'apphook'
>;

export function applyDescription(source: Source, described: Described): Source {
  const { update } = source;
  if (update === null || update.other === null) return source;
  return { ...source, configuredProps: null, update: { ...update, other: { ...update.other, ...described } } };
}

export function swapRevisions(source: Source): Source {
  return exchangeRevisions(source, { swapped: 'swapped' });
}

export function swapBack(source: Source, { reason, message, error }: DeployRefusal): Source {
  const refusal = { reason, message, ...(error === undefined ? {} : { error }) };
  return exchangeRevisions(source, { swapped: 'back', refusal });
}

function exchangeRevisions(source: Source, change: Partial<NonNullable<Source['update']>>): Source {
  const { update } = source;
  if (update === null || update.other === null) return source;
  const { accounts, apphook = null, ...rest } = source;
  const { revision, codeRevision, codeFrom, configuredFrom, hooks, http, timer } = rest;
  const accountsField = accounts === undefined ? {} : { accounts };
  const other = { revision, codeRevision, codeFrom, configuredFrom, hooks, http, timer, apphook, ...accountsField };
  return { ...rest, apphook: null, ...update.other, ended: [], update: { ...update, ...change, other } };
}

export const finishUpdate = (
  source: Source,
  { active, nameSlug = source.nameSlug ?? undefined, settings }: DataOf<'SourceUpdated'>,
): Source => ({
  ...source,
  ...noProcess,
  status: 'deployed',
  active,
  nameSlug: nameSlug ?? null,
  ...(settings === undefined ? {} : { settings }),
});

/** Undefined: the command did not begin an update. */
export function refuseUpdate(source: Source, { revision, active }: DataOf<'SourceUpdateRefused'>): Source | undefined {
  if (revision === 0 || source.status !== 'updating') return undefined;
  return { ...source, ...noProcess, status: 'deployed', active: active ?? source.active };
}

/** `offset` is the event's; later definitions refer to it. */
export function withRecordOffset<R extends RevisionDefinition>(
  revision: R,
  { type, data }: SourceEvent,
  offset: number,
): R {
  const isRevision = (number: number): boolean => 'revision' in data && data.revision === number;
  const isCode = type === 'SourceDeploying' || (type === 'SourceUpdating' && data.code !== undefined);
  if (isCode && isRevision(revision.codeRevision)) return { ...revision, codeFrom: offset };
  if (type === 'SourceConfigured' && isRevision(revision.revision)) return { ...revision, configuredFrom: offset };
  return revision;
}
