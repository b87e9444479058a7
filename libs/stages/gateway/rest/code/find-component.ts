// Reads a saved component by its id or its key, and its code.
import { appOf, isReexportOfApp } from '../../../../domain/component/program/registry-component.ts';
import { isId } from '../../../../domain/id.ts';
import type { ComponentCodeView, ComponentView } from '../../../../domain/views/index.ts';
import type { Caller } from '../../control/api-keys.ts';
import type { Parts } from '../../parts/parts.ts';
import { findOwned, findShown } from '../owned-documents.ts';

/** For a key, the last saved version. Undefined: the caller's workspace has no such component. */
export async function findComponent(
  parts: Parts<'views'>,
  caller: Caller,
  idOrKey: string,
): Promise<ComponentView | undefined> {
  if (isId('sc', idOrKey)) return findOwned<ComponentView>(parts, caller, 'components', idOrKey);
  if (idOrKey === '') return undefined;
  const query = { index: 'byKey', equals: [caller.workspace, idOrKey], order: 'descending', limit: 1 } as const;
  const [newest] = await parts.views().find('components', query);
  return newest?.value as ComponentView | undefined;
}

/** The version that is published under a key. Undefined: none. */
export async function findPublished(
  parts: Parts<'views'>,
  caller: Caller,
  key: string,
): Promise<ComponentView | undefined> {
  if (key === '') return undefined;
  const query = { index: 'byPublishedKey', equals: [caller.workspace, key], order: 'descending', limit: 1 } as const;
  const [newest] = await parts.views().find('components', query);
  return newest?.value as ComponentView | undefined;
}

/** Saved components of one key whose code is read to find the one from the registry: others can have its key, too. */
const examinedMax = 10;

/** The last saved version of the component that was looked up in the registry by its key. Undefined: none. */
export async function findRegistryComponent(
  parts: Parts<'views'>,
  caller: Caller,
  key: string,
): Promise<ComponentView | undefined> {
  const app = appOf(key);
  if (app === undefined) return undefined;
  const query = { index: 'byKey', equals: [caller.workspace, key], order: 'descending', limit: examinedMax } as const;
  for (const { value } of await parts.views().find('components', query)) {
    const component = value as ComponentView;
    if (isReexportOfApp((await findCode(parts, caller, component)).code, app)) return component;
  }
  return undefined;
}

export const findCode = (
  parts: Parts<'views'>,
  caller: Caller,
  { componentId }: ComponentView,
): Promise<ComponentCodeView> => findShown<ComponentCodeView>(parts, caller, 'codes', componentId);
