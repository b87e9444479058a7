// Resolves a prop's definition with those that it inherits from through `propDefinition`
// (docs/reference/component-api.md, "The definition of a component").
import { isArray, objectAssign, toText } from '../core/primordials.ts';
import { bagOf, propOf } from './definition.ts';
import type { Bag } from './definition.ts';

/** One definition in the chain. */
export interface PropLink {
  readonly definition: Bag;
  /** The app that the definition belongs to, as its author wrote it; undefined: it is the component's own. */
  readonly app: Bag | undefined;
  /** The reference's third item, which adds to the argument of `options`: a function, an object, or nothing. */
  readonly context: unknown;
}

/** Longest chain of references; a longer one is taken for a circle. */
const referencesMax = 8;

/** The prop's own definition first. Throws an error for the author if a reference leads nowhere. */
export function chainOf(name: string, prop: unknown): readonly PropLink[] {
  const chain: PropLink[] = [{ definition: propOf(prop), app: undefined, context: undefined }];
  for (let at = 0; ; at++) {
    const reference = chain[at]?.definition['propDefinition'];
    if (!isArray(reference)) return chain;
    // By index: destructuring goes through an iterator that a component can replace.
    const app = bagOf(reference[0]);
    const inheritedName = toText(reference[1]);
    const definition = bagOf(app['propDefinitions'])[inheritedName];
    if (definition === undefined)
      throw new TypeError(`Prop ${name}: its propDefinition ${inheritedName} is not in the app's propDefinitions`);
    if (at >= referencesMax)
      throw new TypeError(
        `Prop ${name}: its propDefinition leads through more than ${referencesMax} others: a circle?`,
      );
    chain[at + 1] = { definition: propOf(definition), app, context: reference[2] };
  }
}

/** The chain merged into one definition, in which fields nearer to the prop override. */
export function resolveProp(name: string, prop: unknown): Bag {
  const chain = chainOf(name, prop);
  if (chain.length === 1) return propOf(prop);
  const definition: Bag = {};
  for (let at = chain.length - 1; at >= 0; at--) objectAssign(definition, chain[at]?.definition ?? {});
  return definition;
}
