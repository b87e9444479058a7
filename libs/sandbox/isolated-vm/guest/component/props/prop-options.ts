// The options of one prop: its list, or one page that its function `options` returns, with the next page's context.
import type { Call } from '../../core/calls.ts';
import { hasOwn, isArray, objectAssign, reflectApply } from '../../core/primordials.ts';
import { bagOf, isBag, isFunction } from '../definition.ts';
import type { Bag } from '../definition.ts';
import { appOfReference } from '../self.ts';
import { allProps } from './additional.ts';
import { chainOf } from '../prop-chain.ts';
import type { PropLink } from '../prop-chain.ts';

/** The request for one page; the host has validated it. */
export interface OptionsRequest {
  readonly propName: string;
  /** From 0. */
  readonly page: number;
  /** The context that the previous page returned; `{}` for the first page, because components destructure it. */
  readonly prevContext: unknown;
  readonly query?: string;
}

export interface Options {
  readonly options: unknown;
  readonly context?: unknown;
}

/** For a prop of `additionalProps` that function runs first, because the prop's `options` can be a closure. */
async function chainOfProp(component: Bag, self: Bag, name: string): Promise<readonly PropLink[]> {
  const own = bagOf(component['props']);
  const definitions = hasOwn(own, name) ? own : (await allProps(component, self)).definitions;
  if (!hasOwn(definitions, name)) throw new TypeError(`The component has no prop ${name}`);
  return chainOf(name, definitions[name]);
}

/** The merged contexts of the references up to `last`; functions among them are called with the values of the props. */
async function contextOf(chain: readonly PropLink[], last: number, self: Bag): Promise<Bag> {
  const context: Bag = {};
  for (let at = 1; at <= last; at++) {
    const linkContext = chain[at]?.context;
    const values = objectAssign(objectAssign({}, self), context);
    objectAssign(
      context,
      bagOf(isFunction(linkContext) ? await reflectApply(linkContext, self, [values]) : linkContext),
    );
  }
  return context;
}

/** Index in the chain of the nearest definition that has `options`; -1: none. */
function indexOfOptions(chain: readonly PropLink[]): number {
  for (let at = 0; at < chain.length; at++) {
    const options = chain[at]?.definition['options'];
    if (options !== undefined && options !== null) return at;
  }
  return -1;
}

function readOptions(returned: unknown, name: string): Options {
  if (returned === undefined || returned === null) return { options: [] };
  if (isArray(returned)) return { options: returned };
  const { options, context } = bagOf(returned);
  if (isBag(returned) && isArray(options)) return { options, context };
  throw new TypeError(`The options of prop ${name} must be a list, or { options, context } with a list`);
}

export async function optionsOf(component: Bag, self: Bag, request: OptionsRequest, call: Call): Promise<Options> {
  const { propName, page, prevContext, query } = request;
  const chain = await chainOfProp(component, self, propName);
  const index = indexOfOptions(chain);
  if (index < 0) throw new TypeError(`Prop ${propName} has no options`);
  const link = chain[index];
  const options = link?.definition['options'];
  if (!isFunction(options)) return readOptions(options, propName);
  const receiver = link?.app === undefined ? self : appOfReference(component, self, link.app, call);
  const argument = { page, prevContext, query, ...(await contextOf(chain, index, self)) };
  return readOptions(await reflectApply(options, receiver, [argument]), propName);
}
