// Reads the props that a component declares; throws at the first one that is not allowed
// (docs/reference/component-api.md, "The definition of a component").
import { isObject } from '../../shape/checks.ts';
import type { PropDefinition } from '../manifest.ts';
import { propFieldNames, propFields } from '../prop-fields.ts';
import type { FieldKind, PropFields } from '../prop-fields.ts';
import { propTypeOf, unknownType } from './prop-types.ts';

/** The message is for the author of the component. */
export class ManifestError extends Error {}

export type Fields = Readonly<Record<string, unknown>>;

export const quoteValue = (value: unknown): string =>
  value === undefined ? 'missing' : JSON.stringify(value).slice(0, 100);

const isOfKind: Readonly<Record<FieldKind, (value: unknown) => boolean>> = {
  string: (value) => typeof value === 'string',
  boolean: (value) => typeof value === 'boolean',
  number: (value) => typeof value === 'number',
  json: (value) => value !== undefined,
  list: Array.isArray,
  object: isObject,
};

export function pickFieldsOfKind(fields: Fields, names: readonly string[], kind: FieldKind): Fields {
  return Object.fromEntries(names.filter((name) => isOfKind[kind](fields[name])).map((name) => [name, fields[name]]));
}

const propFieldsOf = (fields: Fields): PropFields =>
  Object.assign({}, ...propFieldNames.map((name) => pickFieldsOfKind(fields, [name], propFields[name])));

function propOf(value: unknown): PropDefinition {
  const fields = isObject(value) ? value : {};
  const { name, type } = fields;
  if (typeof name !== 'string') throw new ManifestError('A prop has no name');
  if (typeof type !== 'string') throw new ManifestError(`Prop ${JSON.stringify(name)} has no type`);
  if (propTypeOf(type) === undefined)
    throw new ManifestError(`Prop ${JSON.stringify(name)} has the type ${quoteValue(type)}, ${unknownType(type)}`);
  return {
    name,
    type,
    ...propFieldsOf(fields),
  };
}

/** Throws ManifestError, also for two HTTP props: a source has one endpoint, so both would name the same one. */
export function readProps(input: unknown): readonly PropDefinition[] {
  const props = (Array.isArray(input) ? (input as readonly unknown[]) : []).map(propOf);
  const [first, second] = props.filter(({ type }) => type === '$.interface.http');
  if (second === undefined) return props;
  throw new ManifestError(
    `Props ${JSON.stringify(first?.name)} and ${JSON.stringify(second.name)} are both of type $.interface.http; a source has one`,
  );
}
