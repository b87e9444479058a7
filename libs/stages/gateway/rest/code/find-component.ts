// Reads a saved component, by its id or by its key, and its code.
import { appOf, isOfApp } from '../../../../domain/component/program/registry-component.ts';
import { isId } from '../../../../domain/id.ts';
import type { ComponentCodeView, ComponentView } from '../../../../domain/views/index.ts';
import type { Caller } from '../../control/api-keys.ts';
import type { Parts } from '../../parts/parts.ts';
import { findOwned, findShown } from '../owned.ts';

/** For a key: the version that was saved last. Undefined: the caller's workspace has no such component. */
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

/** The version that is published under a key. Undefined: none is. */
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

/** Saved components of one key whose code is read to find one of the registry: others have its key too. */
const lookedAtMax = 10;

/** The component that was looked up in the registry by its key, in the version that was saved last. Undefined: none was. */
export async function findLookedUp(
  parts: Parts<'views'>,
  caller: Caller,
  key: string,
): Promise<ComponentView | undefined> {
  const app = appOf(key);
  if (app === undefined) return undefined;
  const query = { index: 'byKey', equals: [caller.workspace, key], order: 'descending', limit: lookedAtMax } as const;
  for (const { value } of await parts.views().find('components', query)) {
    const component = value as ComponentView;
    if (isOfApp((await findCode(parts, caller, component)).code, app)) return component;
  }
  return undefined;
}

export const findCode = (
  parts: Parts<'views'>,
  caller: Caller,
  { componentId }: ComponentView,
): Promise<ComponentCodeView> => findShown<ComponentCodeView>(parts, caller, 'codes', componentId);
