// Computes the props that a component adds by `additionalProps`, which depend on the values of the others.
import { hasOwn, isArray, objectAssign, objectKeys, reflectApply } from '../../core/primordials.ts';
import { bagOf, isBag, isFunction, propOf } from '../definition.ts';
import type { Bag } from '../definition.ts';
import { resetUnitBudget } from '../plain-json.ts';
import { propJson } from './prop-json.ts';

/** A component with more props is rejected, so that none is left out silently. */
export const propsMax = 500;

export interface PropDefinitions {
  /** By name, as the author wrote them. */
  readonly definitions: Bag;
  readonly isDynamic: (name: string) => boolean;
}

/**
 * All props: the component's own, overridden by those that `additionalProps` returns. It receives copies, which it may
 * change and return.
 */
export async function allProps(component: Bag, self: Bag): Promise<PropDefinitions> {
  const own = bagOf(component['props']);
  const additional = component['additionalProps'];
  const isDynamic = (name: string): boolean => !hasOwn(own, name);
  if (!isFunction(additional)) return { definitions: own, isDynamic };
  const returned = (await reflectApply(additional, self, [copyDefinitions(own)])) ?? {};
  if (!isBag(returned) || isArray(returned))
    throw new TypeError('additionalProps must return an object: the definitions of the props, by name');
  return { definitions: objectAssign(objectAssign({}, own), returned), isDynamic };
}

function copyDefinitions(props: Bag): Bag {
  const names = objectKeys(props);
  const copied: Bag = {};
  for (let at = 0; at < names.length; at++) {
    const name = names[at] ?? '';
    copied[name] = objectAssign({}, propOf(props[name]));
  }
  return copied;
}

/** A JSON list in which dynamic props are marked. Leaves out props that were set to null or undefined. */
export function propsJson({ definitions, isDynamic }: PropDefinitions): string {
  const names = objectKeys(definitions);
  if (names.length > propsMax) throw new TypeError(`The component has more than ${propsMax} props`);
  resetUnitBudget();
  let list = '';
  for (let at = 0; at < names.length; at++) {
    const name = names[at] ?? '';
    const definition = definitions[name];
    if (definition === undefined || definition === null) continue;
    list += `${list ? ',' : ''}${propJson(name, definition, isDynamic(name))}`;
  }
  return `[${list}]`;
}
