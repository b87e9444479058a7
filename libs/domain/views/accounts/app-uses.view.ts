// Views `sourceApps` and `componentApps`: the apps in the props of each source and saved component, and the fields of
// `$auth` that it reads.
import type { Manifest } from '../../component/manifest.ts';
import type { View } from '../view.ts';

type AppUse = {
  readonly workspace: string;
  /** Slugs, each once. */
  readonly apps: readonly string[];
  /** Names that its code reads; empty when it has props of several apps, as they cannot be told apart. */
  readonly fields: readonly string[];
  readonly type: 'source' | 'action';
  /** Epoch ms. */
  readonly createdAt: number;
};

/** `apps` can be empty if `next` has some. */
export type AppUseView = AppUse & {
  /** The value after the unfinished update, if it succeeds; absent: it changes nothing, or there is none. */
  readonly next?: AppUse;
};

const indexes = { byWorkspace: ['workspace', 'createdAt'] } as const;

export const sourceAppsView: View<'components', AppUseView> = {
  definition: { name: 'sourceApps', revision: 1, indexes },
  topics: ['components'],

  idOf({ type, data }) {
    if (type === 'SourceConfigured' || type === 'SourceUpdated' || type === 'SourceDeleted') return data.sourceId;
    // A refusal of revision 0 is of a command that began nothing.
    const ends = type === 'SourceDeployRefused' || type === 'SourceUpdateRefused';
    return ends && data.revision > 0 ? data.sourceId : undefined;
  },

  needsCurrent: ({ type, data }) =>
    type === 'SourceConfigured' ? isUpdate(data) : type === 'SourceUpdated' || type === 'SourceUpdateRefused',

  evolve(current, { workspace, at, type, data }) {
    if (type === 'SourceUpdated') return current?.next === undefined ? current : unlessWithoutApps(current.next);
    if (type === 'SourceUpdateRefused') return current && unlessWithoutApps(withoutNext(current));
    if (type !== 'SourceConfigured') return undefined;
    const use = useOf(data.manifest, { workspace, createdAt: at });
    if (!isUpdate(data)) return unlessWithoutApps(use);
    return unlessWithoutApps({ ...(current ?? { ...use, apps: [], fields: [] }), next: use });
  },
};

/** The configuration of an update has no name: the source keeps its own. */
const isUpdate = ({ name }: { readonly name?: string }): boolean => name === undefined;

function withoutNext({ next: _next, ...current }: AppUseView): AppUse {
  return current;
}

/** Undefined: it has no app prop. */
const unlessWithoutApps = (use: AppUseView): AppUseView | undefined =>
  use.apps.length + (use.next?.apps.length ?? 0) === 0 ? undefined : use;

export const componentAppsView: View<'saves', AppUseView> = {
  definition: { name: 'componentApps', indexes },
  topics: ['saves'],

  idOf: ({ type, data }) => (type === 'ComponentSaved' || type === 'ComponentDeleted' ? data.componentId : undefined),

  needsCurrent: () => false,

  evolve: (_current, { workspace, at, type, data }) =>
    type === 'ComponentSaved' ? unlessWithoutApps(useOf(data.manifest, { workspace, createdAt: at })) : undefined,
};

function useOf({ props, authFields = [], type }: Manifest, owner: Pick<AppUse, 'workspace' | 'createdAt'>): AppUse {
  const slugs = props.flatMap((prop) => (prop.type === 'app' && prop.app !== undefined ? [prop.app] : []));
  const apps = [...new Set(slugs)].filter((app) => app !== '');
  return { ...owner, apps, fields: apps.length === 1 ? authFields : [], type };
}
