// What the component says of itself as plain JSON: only known fields, bounded in depth and size, functions left out.
import { bagOf, isBag, isFunction, propOf } from './definition.ts';
import type { Bag } from './definition.ts';

const depthMax = 8;
const keysMax = 500;
const itemsMax = 1_000;
const textMax = 64 * 1024;

const componentFields = ['name', 'version', 'key', 'description', 'type', 'dedupe'];
const propFields = [
  ...[
    'type',
    'label',
    'description',
    'optional',
    'default',
    'options',
    'secret',
    'min',
    'max',
    'customResponse',
    'app',
  ],
  ...['static', 'reloadProps', 'hidden', 'disabled'],
];

function plain(value: unknown, depth = 0): unknown {
  if (value === null || typeof value === 'boolean') return value;
  if (typeof value === 'string') return value.slice(0, textMax);
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  if (typeof value !== 'object' || depth >= depthMax) return undefined;
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString();
  if (Array.isArray(value)) return value.slice(0, itemsMax).map((item: unknown) => plain(item, depth + 1) ?? null);
  return copy(value as Bag, Object.keys(value).slice(0, keysMax), depth);
}

/** Defined, not assigned: a key may be `__proto__`. */
function copy(from: Bag, fields: readonly string[], depth = 0): Bag {
  const to: Bag = {};
  for (const field of fields) {
    const value = plain(from[field], depth + 1);
    if (value !== undefined) Object.defineProperty(to, field, { value, enumerable: true });
  }
  return to;
}

/** A propDefinition may lead to another; longer chains are a circle. */
const inheritMax = 8;

/** `propDefinition: [app, name]` inherits from the app's definition, own fields override. */
function resolved(name: string, given: unknown, depth = 0): Bag {
  const definition = propOf(given);
  const reference = definition['propDefinition'];
  if (!Array.isArray(reference)) return definition;
  const [app, inherited] = reference as unknown[];
  const base = bagOf(bagOf(app)['propDefinitions'])[String(inherited)];
  if (base === undefined || depth >= inheritMax) {
    throw new TypeError(`Prop ${name}: its propDefinition ${String(inherited)} is not in the app's propDefinitions`);
  }
  return { ...resolved(name, base, depth + 1), ...definition };
}

function prop(name: string, given: unknown): Bag {
  const definition = resolved(name, given);
  const remote = isFunction(definition['options']);
  return { ...copy(definition, propFields), name, ...(remote ? { remoteOptions: true } : {}) };
}

const names = (value: unknown): string[] => Object.keys(bagOf(value)).slice(0, keysMax);

export function manifest(component: Bag): Bag {
  const props = bagOf(component['props']);
  const hooks = bagOf(component['hooks']);
  return {
    ...copy(component, componentFields),
    props: names(props).map((name) => prop(name, props[name])),
    hooks: names(hooks).filter((name) => isFunction(hooks[name])),
    methods: names(component['methods']),
    hasRun: isFunction(component['run']),
    propsAreObject: component['props'] === undefined || isBag(component['props']),
    additionalProps: isFunction(component['additionalProps']),
  };
}
