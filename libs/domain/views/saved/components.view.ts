// View `components`: each saved component's manifest. Its code is in `codes`, so that lists need not read it.
import type { Program } from '../../component/program/program.ts';
import { asJson } from '../view.ts';
import type { View } from '../view.ts';
import type { Json } from '../../json.ts';

export type ComponentView = {
  readonly workspace: string;
  readonly componentId: string;
  readonly userId: string;
  readonly codeHash: string;
  /** Shared by a component's versions; empty: the component has no key. */
  readonly key: string;
  /** `Manifest`. */
  readonly manifest: Json;
  /** Epoch ms. */
  readonly createdAt: number;
  readonly isPublished: 'yes' | 'no';
  /** The key with which it is published; empty: it is not published. */
  readonly publishedKey: string;
  /** When it was saved, or last published or unpublished. Epoch ms. */
  readonly updatedAt: number;
};

export type ComponentCodeView = {
  readonly workspace: string;
  readonly code: string;
  readonly entry?: string;
  readonly lock?: string;
  /** As a list: a store may not take every path as a name. */
  readonly files?: readonly { readonly path: string; readonly text: string }[];
};

export const componentsView: View<'saves', ComponentView> = {
  definition: {
    name: 'components',
    indexes: {
      byWorkspace: ['workspace', 'createdAt'],
      byKey: ['workspace', 'key', 'createdAt'],
      byPublished: ['workspace', 'isPublished', 'createdAt'],
      byPublishedKey: ['workspace', 'publishedKey', 'createdAt'],
    },
    revision: 1,
  },
  topics: ['saves'],

  idOf: ({ type, data }) =>
    type === 'ComponentSaved' ||
    type === 'ComponentPublished' ||
    type === 'ComponentUnpublished' ||
    type === 'ComponentDeleted'
      ? data.componentId
      : undefined,

  needsCurrent: ({ type }) => type === 'ComponentPublished' || type === 'ComponentUnpublished',

  evolve(current, { workspace, at, type, data }) {
    if (type === 'ComponentDeleted') return undefined;
    if (type === 'ComponentPublished')
      return current && { ...current, isPublished: 'yes', publishedKey: data.key, updatedAt: at };
    if (type === 'ComponentUnpublished')
      return current && { ...current, isPublished: 'no', publishedKey: '', updatedAt: at };
    if (type !== 'ComponentSaved') return current;
    const { componentId, userId, codeHash, manifest } = data;
    return {
      workspace,
      componentId,
      userId,
      codeHash,
      key: manifest.key ?? '',
      manifest: asJson(manifest),
      createdAt: at,
      isPublished: 'no',
      publishedKey: '',
      updatedAt: at,
    };
  },
};

/** Written when saving begins, and with its lock once it is saved; one that is not saved has no document in `components`. */
export const componentCodeView: View<'saves', ComponentCodeView> = {
  definition: { name: 'codes', indexes: {} },
  topics: ['saves'],

  idOf: ({ type, data }) =>
    type === 'ComponentSaving' ||
    type === 'ComponentDeleted' ||
    (type === 'ComponentSaved' && data.lock !== undefined) ||
    (type === 'ComponentSaveRefused' && data.began)
      ? data.componentId
      : undefined,

  needsCurrent: ({ type }) => type === 'ComponentSaved',

  evolve(current, { workspace, type, data }) {
    if (type === 'ComponentSaving') return { workspace, ...codeFields(data) };
    if (type !== 'ComponentSaved' || data.lock === undefined) return undefined;
    return current && { ...current, lock: data.lock };
  },
};

const codeFields = ({ code, entry, files }: Program): Omit<ComponentCodeView, 'workspace'> => ({
  code,
  ...(entry === undefined ? {} : { entry }),
  ...(files === undefined ? {} : { files: Object.entries(files).map(([path, text]) => ({ path, text })) }),
});

export const programOfView = ({ code, entry, files, lock }: ComponentCodeView): Program => ({
  code,
  ...(lock === undefined ? {} : { lock }),
  ...(entry === undefined ? {} : { entry }),
  ...(files === undefined ? {} : { files: Object.fromEntries(files.map(({ path, text }) => [path, text])) }),
});
