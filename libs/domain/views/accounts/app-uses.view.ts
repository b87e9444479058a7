// Views `sourceApps` and `componentApps`: which apps each source and each saved component has props of, and what it reads of `$auth`.
import type { Manifest } from '../../component/manifest.ts';
import type { View } from '../view.ts';

export type AppUseView = {
  readonly workspace: string;
  /** Slugs, each once. */
  readonly apps: readonly string[];
  /** Names that its code reads; empty when it has props of several apps, as they cannot be told apart. */
  readonly fields: readonly string[];
  readonly type: 'source' | 'action';
  /** Epoch ms. */
  readonly createdAt: number;
};

const indexes = { byWorkspace: ['workspace', 'createdAt'] } as const;

export const sourceAppsView: View<'components', AppUseView> = {
  definition: { name: 'sourceApps', indexes },
  topics: ['components'],

  idOf: ({ type, data }) => {
    if (type === 'SourceConfigured' || type === 'SourceDeleted') return data.sourceId;
    return type === 'SourceDeployRefused' && data.revision > 0 ? data.sourceId : undefined;
  },

  needsCurrent: () => false,

  evolve: (_current, { workspace, at, type, data }) =>
    type === 'SourceConfigured' ? useOf(data.manifest, { workspace, createdAt: at }) : undefined,
};

export const componentAppsView: View<'saves', AppUseView> = {
  definition: { name: 'componentApps', indexes },
  topics: ['saves'],

  idOf: ({ type, data }) => (type === 'ComponentSaved' || type === 'ComponentDeleted' ? data.componentId : undefined),

  needsCurrent: () => false,

  evolve: (_current, { workspace, at, type, data }) =>
    type === 'ComponentSaved' ? useOf(data.manifest, { workspace, createdAt: at }) : undefined,
};

/** Undefined: it has no app prop. */
function useOf(
  { props, authFields = [], type }: Manifest,
  of: Pick<AppUseView, 'workspace' | 'createdAt'>,
): AppUseView | undefined {
  const named = props.flatMap((prop) => (prop.type === 'app' && prop.app !== undefined ? [prop.app] : []));
  const apps = [...new Set(named)].filter((app) => app !== '');
  return apps.length === 0 ? undefined : { ...of, apps, fields: apps.length === 1 ? authFields : [], type };
}
