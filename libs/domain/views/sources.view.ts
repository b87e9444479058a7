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

type EventOf<Type extends SourceEvent['type']> = Extract<SourceEvent, { type: Type }>;
/** A source event as a stored record, with its offset. */
type RecordOfType<Type extends SourceEvent['type']> = Extract<RecordOn<'components'>, { type: Type }>;

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

function afterDeploying(
  current: SourceView | undefined,
  { workspace, at, offset, data }: RecordOfType<'SourceDeploying'>,
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

const eventNamesField = ({
  eventNames,
}: {
  readonly eventNames?: readonly string[] | null;
}): Pick<SourceView, 'eventNames'> => (eventNames === undefined ? {} : { eventNames });

const hasHttp = (manifest: Manifest): boolean => manifest.props.some(({ type }) => type === '$.interface.http');

type Refused = EventOf<'SourceDeployRefused' | 'SourceUpdateRefused' | 'SourceDeleteRefused'>['data'];

function refusalView({ revision = 0, reason, message, error, console = [] }: Refused): Json {
  const refusal: SourceRefused = { revision, reason, message, error: error ?? null, console };
  return asJson(refusal);
}

const activityOf = (active: boolean): Pick<SourceView, 'state' | 'active'> => ({
  state: active ? 'active' : 'inactive',
  active,
});

function afterDeployRefused(current: SourceView, { at, data }: EventOf<'SourceDeployRefused'>): SourceView {
  const isFirst = current.deployedAt === null;
  return {
    ...current,
    state: isFirst ? 'refused' : 'active',
    visibility: isFirst ? 'hidden' : 'listed',
    hasEndpoint: current.hasEndpoint && !isFirst,
    active: !isFirst,
    refusal: refusalView(data),
    updatedAt: at,
  };
}

/** A refusal of a command that began nothing leaves the document unchanged. */
const hasEffect = ({ type, data }: SourceEvent): boolean =>
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

function afterConfigured(current: SourceView, { at, data }: EventOf<'SourceConfigured'>): SourceView {
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

function afterUpdating(
  current: SourceView,
  { at, offset, data: { codeHash } }: RecordOfType<'SourceUpdating'>,
): SourceView {
  const next = codeHash === undefined ? null : { codeHash, codeAt: offset };
  return { ...current, state: 'updating', next, console: [], refusal: null, updatedAt: at };
}

/** Handles events after the first; never called for the types that create or end the document. */
function evolveExisting(
  current: SourceView,
  record: Exclude<RecordOn<'components'>, EventOf<'SourceDeploying' | 'SourceDeleted'>>,
): SourceView {
  switch (record.type) {
    case 'SourceConfigured':
      return afterConfigured(current, record);
    case 'SourceDeployed':
      return {
        ...current,
        ...activityOf(true),
        revision: record.data.revision,
        console: asJson(record.data.console),
        ...eventNamesField(record.data),
        updatedAt: record.at,
        deployedAt: record.at,
      };
    case 'SourceDeployRefused':
      return afterDeployRefused(current, record);
    case 'SourceDeleting':
      return { ...current, state: 'deleting', updatedAt: record.at };
    case 'SourceDeleteRefused':
      return { ...current, ...activityOf(current.active), refusal: refusalView(record.data), updatedAt: record.at };
    case 'SourceUpdating':
      return afterUpdating(current, record);
    case 'SourceUpdated':
      return afterUpdated(current, record);
    case 'SourceUpdateRefused': {
      const { active = current.active } = record.data;
      return { ...current, ...activityOf(active), next: null, refusal: refusalView(record.data), updatedAt: record.at };
    }
    case 'SourceSwapped':
    case 'SourceSwappedBack':
      return current;
  }
}

function afterUpdated(current: SourceView, { at, data }: EventOf<'SourceUpdated'>): SourceView {
  const { active, name = current.name, nameSlug = current.nameSlug, settings, console } = data;
  const next = (current.next ?? {}) as NextRevision;
  const updatedFields = { name, nameSlug, console: asJson(console), ...eventNamesField(data), updatedAt: at };
  const settingsField = settings === undefined ? {} : { settings: asJson(settings) };
  return { ...current, ...next, ...activityOf(active), next: null, ...updatedFields, ...settingsField };
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
    if (!hasEffect(record)) return undefined;
    return record.data.sourceId;
  },

  needsCurrent: (record) => record.type !== 'SourceDeleted',

  evolve(current, record) {
    if (record.type === 'SourceDeleted') return undefined;
    if (record.type === 'SourceDeploying') return afterDeploying(current, record);
    return current && evolveExisting(current, record);
  },
};
