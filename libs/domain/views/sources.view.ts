// View `sources`: each source with the state of its process, its manifest and its props, secrets left out.
import type { ComponentError, ConsoleLine, SourceEvent } from '../component/messages.ts';
import type { Manifest } from '../component/manifest.ts';
import type { Json } from '../json.ts';
import { withoutSecrets } from '../secrets/without-secrets.ts';
import { asJson, type View } from './view.ts';

export type SourceState =
  | 'deploying'
  | 'active'
  /** The first deploy was refused: not listed. */
  | 'refused'
  | 'deleting';

export type SourceView = {
  readonly workspace: string;
  readonly sourceId: string;
  readonly userId: string;
  readonly state: SourceState;
  /** What lists are found by: a refused first deploy is `hidden`. */
  readonly visibility: 'listed' | 'hidden';
  readonly revision: number;
  readonly codeHash: string;
  /** As asked for, until the component has said its own. */
  readonly name: string | null;
  readonly nameSlug: string | null;
  /** `Manifest`; null until the component was described and its props accepted. */
  readonly manifest: Json;
  /** Configured values, `{ "$sealed": true }` in place of each secret. */
  readonly props: { readonly [name: string]: Json };
  /** Reserved for it even when it has no http interface. */
  readonly endpointKey: string;
  /** `SourceSettings`; absent: the defaults. */
  readonly settings?: Json;
  /** It has an http interface, described and accepted. */
  readonly hasEndpoint: boolean;
  /** `ConsoleLine[]` of the last deploy's hooks. */
  readonly console: Json;
  /** `SourceRefused` of the last deploy, or null. */
  readonly refusal: Json;
  /** Epoch ms; `deployedAt` null: never yet. */
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly deployedAt: number | null;
};

export interface SourceRefused {
  readonly revision: number;
  readonly reason: string;
  readonly message: string;
  readonly error: ComponentError | null;
  readonly console: readonly ConsoleLine[];
}

type Told = Exclude<SourceEvent, { type: 'SourceDeleteRefused' }>;
type Of<Type extends Told['type']> = Extract<Told, { type: Type }>;

const types: ReadonlySet<string> = new Set<Told['type']>([
  'SourceDeploying',
  'SourceConfigured',
  'SourceDeployed',
  'SourceDeployRefused',
  'SourceDeleting',
  'SourceDeleted',
]);

function deploying(current: SourceView | undefined, { workspace, at, data }: Of<'SourceDeploying'>): SourceView {
  return {
    workspace,
    sourceId: data.sourceId,
    userId: data.userId,
    state: 'deploying',
    visibility: 'listed',
    revision: data.revision,
    codeHash: data.codeHash,
    name: current?.name ?? data.requestedName,
    nameSlug: current?.nameSlug ?? null,
    manifest: current?.manifest ?? null,
    props: current?.props ?? {},
    endpointKey: data.endpointKey,
    ...(data.settings === undefined ? {} : { settings: asJson(data.settings) }),
    hasEndpoint: current?.hasEndpoint ?? false,
    console: [],
    refusal: null,
    createdAt: current?.createdAt ?? at,
    updatedAt: at,
    deployedAt: current?.deployedAt ?? null,
  };
}

const hasHttp = (manifest: Manifest): boolean => manifest.props.some(({ type }) => type === '$.interface.http');

function refused(current: SourceView, { at, data }: Of<'SourceDeployRefused'>): SourceView {
  const refusal: SourceRefused = {
    revision: data.revision,
    reason: data.reason,
    message: data.message,
    error: data.error ?? null,
    console: data.console ?? [],
  };
  const first = current.deployedAt === null;
  return {
    ...current,
    state: first ? 'refused' : 'active',
    visibility: first ? 'hidden' : 'listed',
    hasEndpoint: current.hasEndpoint && !first,
    refusal: asJson(refusal),
    updatedAt: at,
  };
}

/** A default of a secret prop is a secret that the component's author wrote down. */
function withoutSecretDefaults(manifest: Manifest): Manifest {
  const props = manifest.props.map((prop) => {
    if (prop.secret !== true) return prop;
    const { default: _hidden, ...shown } = prop;
    return shown;
  });
  return { ...manifest, props };
}

/** What follows a first event: never called for the type that makes or ends the document. */
function changed(current: SourceView, record: Exclude<Told, Of<'SourceDeploying' | 'SourceDeleted'>>): SourceView {
  switch (record.type) {
    case 'SourceConfigured':
      return {
        ...current,
        revision: record.data.revision,
        name: record.data.name,
        nameSlug: record.data.nameSlug,
        manifest: asJson(withoutSecretDefaults(record.data.manifest)),
        props: withoutSecrets(record.data.props),
        hasEndpoint: hasHttp(record.data.manifest),
        updatedAt: record.at,
      };
    case 'SourceDeployed':
      return {
        ...current,
        state: 'active',
        revision: record.data.revision,
        console: asJson(record.data.console),
        updatedAt: record.at,
        deployedAt: record.at,
      };
    case 'SourceDeployRefused':
      return refused(current, record);
    case 'SourceDeleting':
      return { ...current, state: 'deleting', updatedAt: record.at };
  }
}

export const sourcesView: View<Told, SourceView> = {
  definition: {
    name: 'sources',
    indexes: { byWorkspace: ['workspace', 'visibility', 'createdAt'] },
  },
  topics: ['components'],

  idOf(record) {
    if (!types.has(record.type)) return undefined;
    if (record.type === 'SourceDeployRefused' && record.data.revision === 0) return undefined;
    return record.data.sourceId;
  },

  needsCurrent: (record) => record.type !== 'SourceDeleted',

  evolve(current, record) {
    if (record.type === 'SourceDeleted') return undefined;
    if (record.type === 'SourceDeploying') return deploying(current, record);
    return current && changed(current, record);
  },
};
