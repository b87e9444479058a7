// What `this` is for run, hooks and methods: props, services, app objects and pre-bound methods
// (docs/reference/component-api.md, "The component's `this`").
import type { Call } from '../core/calls.ts';
import { freeze, functionBind, objectKeys } from '../core/primordials.ts';
import { dbOf } from './db.ts';
import { bagOf, isFunction, propOf } from './definition.ts';
import type { Bag } from './definition.ts';
import { emit } from './emit.ts';
import { httpRequestOf } from './request/http-request.ts';
import { respond } from './respond.ts';

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

/** An app prop: its methods see each other and `$auth`, which is empty until accounts are connected. */
function appOf(definition: Bag, $emit: EmitFunction): Bag {
  const app: Bag = { $auth: freeze({}), $emit };
  bindAll(app, definition['methods']);
  return app;
}

function valueOf(definition: Bag, value: unknown, call: Call, $emit: EmitFunction): unknown {
  switch (definition['type']) {
    case 'app':
      return appOf(definition, $emit);
    case '$.service.db':
      return dbOf(call);
    case '$.interface.http':
      return { endpoint: bagOf(value)['endpoint'], respond: (response: unknown) => respond(call, response) };
    case 'http_request':
      return httpRequestOf(value);
    default:
      return value;
  }
}

export function selfOf(definition: Bag, values: Bag, call: Call): Bag {
  const self: Bag = {};
  const $emit: EmitFunction = (event, meta) => emit(call, event, meta);
  const props = bagOf(definition['props']);
  const names = objectKeys(props);
  for (let at = 0; at < names.length; at++) {
    const name = names[at] ?? '';
    const value = valueOf(propOf(props[name]), values[name], call, $emit);
    if (value !== undefined) self[name] = value;
  }
  self['$emit'] = $emit;
  bindAll(self, definition['methods']);
  return self;
}
