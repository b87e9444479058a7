// Builds `this` of run, hooks and methods: props, services, app objects and pre-bound methods
// (docs/reference/component-api.md, "The component's `this`").
import type { Call } from '../core/calls.ts';
import { freeze, functionBind, hasOwn, objectAssign, objectKeys } from '../core/primordials.ts';
import { dbOf } from './db.ts';
import { bagOf, isFunction, propOf } from './definition.ts';
import type { Bag } from './definition.ts';
import { emit } from './emit.ts';
import { dataStoreOf } from './request/data-store.ts';
import { httpRequestOf } from './request/http-request.ts';
import { resolveProp } from './prop-chain.ts';
import { respond } from './response/respond.ts';

type EmitFunction = (event: unknown, meta?: unknown) => Promise<void>;

function bindAll(self: Bag, methods: unknown): void {
  const bag = bagOf(methods);
  const names = objectKeys(bag);
  for (let at = 0; at < names.length; at++) {
    const name = names[at] ?? '';
    const method = bag[name];
    self[name] = isFunction(method) ? functionBind(method, self) : method;
  }
}

const noAccount: Bag = freeze({});

const authOf = (value: unknown): Bag => freeze(bagOf(bagOf(value)['auth'] ?? noAccount));

/** The object of an app prop: its methods see each other and `$auth`, which is empty without an account. */
function appOf(definition: Bag, $auth: unknown, $emit: EmitFunction): Bag {
  const app: Bag = { $auth, $emit };
  bindAll(app, definition['methods']);
  return app;
}

function propValueOf(definition: Bag, value: unknown, call: Call, $emit: EmitFunction): unknown {
  switch (definition['type']) {
    case 'app':
      return appOf(definition, authOf(value), $emit);
    case '$.service.db':
      return dbOf(call);
    case '$.interface.http':
      return { endpoint: bagOf(value)['endpoint'], respond: (response: unknown) => respond(call, response) };
    case 'data_store':
      return dataStoreOf(value);
    case 'http_request':
      return httpRequestOf(value);
    default:
      return value;
  }
}

/** Values by prop name. */
export interface PropValues {
  readonly values: Bag;
  /** Types of the props that `additionalProps` has added. */
  readonly added: Bag;
}

export function selfOf(definition: Bag, { values, added }: PropValues, call: Call): Bag {
  const self: Bag = {};
  const $emit: EmitFunction = (event, meta) => emit(call, event, meta);
  const props = bagOf(definition['props']);
  const setProp = (name: string, prop: Bag): void => {
    const value = propValueOf(prop, values[name], call, $emit);
    if (value !== undefined) self[name] = value;
  };
  const names = objectKeys(props);
  for (let at = 0; at < names.length; at++) {
    const name = names[at] ?? '';
    const prop = propOf(props[name]);
    setProp(name, prop['type'] === undefined ? resolveProp(name, prop) : prop);
  }
  const addedNames = objectKeys(objectAssign(objectAssign({}, values), added));
  for (let at = 0; at < addedNames.length; at++) {
    const name = addedNames[at] ?? '';
    if (!hasOwn(props, name)) setProp(name, { type: added[name] });
  }
  self['$emit'] = $emit;
  bindAll(self, definition['methods']);
  return self;
}

/**
 * `this` of the `options` function of a propDefinition: the component's own instance of that app; or, if it refers to
 * another copy, as when methods are overridden, one with that copy's methods and the same account.
 */
export function appOfReference(component: Bag, self: Bag, app: Bag, call: Call): unknown {
  const props = bagOf(component['props']);
  const names = objectKeys(props);
  let $auth: unknown = noAccount;
  for (let at = names.length - 1; at >= 0; at--) {
    const name = names[at] ?? '';
    const prop = propOf(props[name]);
    if (prop === app) return self[name];
    if (prop['type'] === 'app' && prop['app'] === app['app']) $auth = bagOf(self[name])['$auth'] ?? noAccount;
  }
  return appOf(app, $auth, (event, meta) => emit(call, event, meta));
}
