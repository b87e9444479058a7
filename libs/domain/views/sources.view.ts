// View `sources`: each source with the state of its process, its manifest and its props without secrets.
import type { SourceEvent, SourceKind } from '../source/messages.ts';
import type { ComponentError, ConsoleLine } from '../component/output.ts';
import type { Manifest } from '../component/manifest.ts';
import type { Json } from '../json.ts';
import type { RecordOn } from '../messages-of.ts';
import { withoutSecrets } from '../secrets/without-secrets.ts';
import { asJson, type View } from './view.ts';

export type SourceState =
  | 'deploying'
  | 'active'
  | 'inactive'
  | 'updating'
  /** The first deploy was refused: not listed. */
  | 'refused'
  | 'deleting';

export type SourceView = {
  readonly workspace: string;
  readonly sourceId: string;
  readonly userId: string;
  readonly state: SourceState;
  /** Whether its endpoint, its timer and requested runs work, also during an update. */
  readonly active: boolean;
  /** `NextRevision` of an unfinished update, or null. */
  readonly next: Json;
  /** The field by which lists select: a refused first deploy is `hidden`. */
  readonly visibility: 'listed' | 'hidden';
  readonly revision: number;
  readonly codeHash: string;
  /** Where on `components` the record with its code stands: views do not hold it a second time. Never shown. */
  readonly codeAt: number;
  /** The requested name, until the component has given its own; empty: none, since an index finds it. */
  readonly name: string;
  /** Empty: it has none yet. */
  readonly nameSlug: string;
  /** `Manifest`; null until the component was described and its props accepted. */
  readonly manifest: Json;
  /** Configured values, `{ "$sealed": true }` in place of each secret. */
  readonly props: { readonly [name: string]: Json };
  /** Reserved for the source even when it has no http interface. */
  readonly endpointKey: string;
  /** `SourceSettings`; absent: the defaults. */
  readonly settings?: Json;
  /** Absent: it runs a component. */
  readonly kind?: SourceKind;
  /** Whether it has an http interface, described and accepted. */
  readonly hasEndpoint: boolean;
  /** Names of the events that its apphook takes, as its function `eventNames` has given them; null: all. */
  readonly eventNames?: Json;
  /** `ConsoleLine[]` of the last deploy's hooks. */
  readonly console: Json;
  /** `SourceRefused` of the last deploy, or null. */
  readonly refusal: Json;
  /** Epoch ms; `deployedAt` null: never yet. */
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly deployedAt: number | null;
};

/** The changes of an update that succeeds; absent fields keep their values. */
type NextRevision = Partial<
  Pick<SourceView, 'revision' | 'codeHash' | 'codeAt' | 'manifest' | 'props' | 'hasEndpoint'>
>;

export interface SourceRefused {
  readonly revision: number;
  readonly reason: string;
  readonly message: string;
  readonly error: ComponentError | null;
  readonly console: readonly ConsoleLine[];
}

type Of<Type extends SourceEvent['type']> = Extract<SourceEvent, { type: Type }>;
/** A source event as a stored record, with its offset. */
type At<Type extends SourceEvent['type']> = Extract<RecordOn<'components'>, { type: Type }>;

const types: ReadonlySet<string> = new Set<SourceEvent['type']>([
  'SourceDeploying',
  'SourceConfigured',
  'SourceDeployed',
  'SourceDeployRefused',
  'SourceUpdating',
  'SourceUpdated',
  'SourceUpdateRefused',
  'SourceDeleting',
  'SourceDeleteRefused',
  'SourceDeleted',
]);

function deploying(
  current: SourceView | undefined,
  { workspace, at, offset, data }: At<'SourceDeploying'>,
): SourceView {
  return {
    workspace,
    sourceId: data.sourceId,
    userId: data.userId,
    state: 'deploying',
    active: false,
    next: null,
    visibility: 'listed',
    revision: data.revision,
    codeHash: data.codeHash,
    codeAt: offset,
    name: current?.name || (data.requestedName ?? ''),
    nameSlug: current?.nameSlug ?? '',
    manifest: current?.manifest ?? null,
    props: current?.props ?? {},
    endpointKey: data.endpointKey,
    ...(data.settings === undefined ? {} : { settings: asJson(data.settings) }),
    ...(data.kind === undefined ? {} : { kind: data.kind }),
    hasEndpoint: current?.hasEndpoint ?? false,
    console: [],
    refusal: null,
    createdAt: current?.createdAt ?? at,
    updatedAt: at,
    deployedAt: current?.deployedAt ?? null,
  };
}

const namesIn = ({ eventNames }: { readonly eventNames?: readonly string[] | null }): Pick<SourceView, 'eventNames'> =>
  eventNames === undefined ? {} : { eventNames };

const hasHttp = (manifest: Manifest): boolean => manifest.props.some(({ type }) => type === '$.interface.http');

type Refused = Of<'SourceDeployRefused' | 'SourceUpdateRefused' | 'SourceDeleteRefused'>['data'];

function refusalOf({ revision = 0, reason, message, error, console = [] }: Refused): Json {
  const refusal: SourceRefused = { revision, reason, message, error: error ?? null, console };
  return asJson(refusal);
}

const standing = (active: boolean): Pick<SourceView, 'state' | 'active'> => ({
  state: active ? 'active' : 'inactive',
  active,
});

function refused(current: SourceView, { at, data }: Of<'SourceDeployRefused'>): SourceView {
  const first = current.deployedAt === null;
  return {
    ...current,
    state: first ? 'refused' : 'active',
    visibility: first ? 'hidden' : 'listed',
    hasEndpoint: current.hasEndpoint && !first,
    active: !first,
    refusal: refusalOf(data),
    updatedAt: at,
  };
}

/** A refusal of a command that began nothing leaves the document unchanged. */
const beganSomething = ({ type, data }: SourceEvent): boolean =>
  type === 'SourceDeployRefused' || type === 'SourceUpdateRefused' || type === 'SourceDeleteRefused'
    ? (data.revision ?? 0) > 0
    : true;

/** A secret prop's default is a secret too, written into the code by the component's author. */
function withoutSecretDefaults(manifest: Manifest): Manifest {
  const props = manifest.props.map((prop) => {
    if (prop.secret !== true) return prop;
    const { default: _hidden, ...shown } = prop;
    return shown;
  });
  return { ...manifest, props };
}

function configured(current: SourceView, { at, data }: Of<'SourceConfigured'>): SourceView {
  const { revision, manifest, name = current.name, nameSlug = current.nameSlug } = data;
  const described = {
    revision,
    manifest: asJson(withoutSecretDefaults(manifest)),
    props: withoutSecrets(data.props),
    hasEndpoint: hasHttp(manifest),
  };
  if (current.state !== 'updating') return { ...current, ...described, name, nameSlug, updatedAt: at };
  const next = (current.next ?? {}) as NextRevision;
  return { ...current, next: asJson({ ...next, ...described }), updatedAt: at };
}

function updating(current: SourceView, { at, offset, data: { codeHash } }: At<'SourceUpdating'>): SourceView {
  const next = codeHash === undefined ? null : { codeHash, codeAt: offset };
  return { ...current, state: 'updating', next, console: [], refusal: null, updatedAt: at };
}

/** Handles events after the first; never called for the types that create or end the document. */
function changed(
  current: SourceView,
  record: Exclude<RecordOn<'components'>, Of<'SourceDeploying' | 'SourceDeleted'>>,
): SourceView {
  switch (record.type) {
    case 'SourceConfigured':
      return configured(current, record);
    case 'SourceDeployed':
      return {
        ...current,
        ...standing(true),
        revision: record.data.revision,
        console: asJson(record.data.console),
        ...namesIn(record.data),
        updatedAt: record.at,
        deployedAt: record.at,
      };
    case 'SourceDeployRefused':
      return refused(current, record);
    case 'SourceDeleting':
      return { ...current, state: 'deleting', updatedAt: record.at };
    case 'SourceDeleteRefused':
      return { ...current, ...standing(current.active), refusal: refusalOf(record.data), updatedAt: record.at };
    case 'SourceUpdating':
      return updating(current, record);
    case 'SourceUpdated':
      return updated(current, record);
    case 'SourceUpdateRefused': {
      const { active = current.active } = record.data;
      return { ...current, ...standing(active), next: null, refusal: refusalOf(record.data), updatedAt: record.at };
    }
    case 'SourceSwapped':
    case 'SourceSwappedBack':
      return current;
  }
}

function updated(current: SourceView, { at, data }: Of<'SourceUpdated'>): SourceView {
  const { active, name = current.name, nameSlug = current.nameSlug, settings, console } = data;
  const next = (current.next ?? {}) as NextRevision;
  const named = { name, nameSlug, console: asJson(console), ...namesIn(data), updatedAt: at };
  const set = settings === undefined ? {} : { settings: asJson(settings) };
  return { ...current, ...next, ...standing(active), next: null, ...named, ...set };
}

export const sourcesView: View<'components', SourceView> = {
  definition: {
    name: 'sources',
    revision: 3,
    indexes: {
      byWorkspace: ['workspace', 'visibility', 'createdAt'],
      byName: ['workspace', 'visibility', 'name', 'createdAt'],
      bySlug: ['workspace', 'visibility', 'nameSlug', 'createdAt'],
    },
  },
  topics: ['components'],

  idOf(record) {
    if (!types.has(record.type)) return undefined;
    if (!beganSomething(record)) return undefined;
    return record.data.sourceId;
  },

  needsCurrent: (record) => record.type !== 'SourceDeleted',

  evolve(current, record) {
    if (record.type === 'SourceDeleted') return undefined;
    if (record.type === 'SourceDeploying') return deploying(current, record);
    return current && changed(current, record);
  },
};
