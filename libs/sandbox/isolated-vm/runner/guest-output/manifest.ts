// Reads the manifest that the guest made, and names the first thing that is not allowed
// (docs/reference/component-api.md, "The definition of a component").
import { annotationNames } from '../../../../domain/component/manifest.ts';
import type { Annotations, DedupeStrategy, Manifest, PropDefinition } from '../../../../domain/component/manifest.ts';
import { propFieldNames, propFields } from '../../../../domain/component/props/prop-fields.ts';
import type { FieldKind, PropFields } from '../../../../domain/component/props/prop-fields.ts';
import { propTypeOf, unknownType } from '../../../../domain/component/props/registry.ts';

/** What is wrong, as the author of the component should read it. */
export class ManifestProblem extends Error {}

type Fields = Readonly<Record<string, unknown>>;

const dedupeStrategies: readonly DedupeStrategy[] = ['unique', 'greatest', 'last'];
const hookNames = ['deploy', 'activate', 'deactivate'] as const;
/** Longer names and versions are mistakes. */
const nameUnitsMax = 1_000;

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const shown = (value: unknown): string => (value === undefined ? 'missing' : JSON.stringify(value).slice(0, 100));

function requiredText(fields: Fields, field: string): string {
  const value = fields[field];
  if (typeof value !== 'string' || value.trim() === '') {
    throw new ManifestProblem(`The component's ${field} must be a text; it is ${shown(value)}`);
  }
  if (value.length > nameUnitsMax) throw new ManifestProblem(`The component's ${field} is longer than ${nameUnitsMax}`);
  return value;
}

const optionalText = (fields: Fields, field: string): Record<string, string> =>
  typeof fields[field] === 'string' ? { [field]: fields[field] } : {};

function dedupeOf(fields: Fields): { dedupe?: DedupeStrategy } {
  const value = fields['dedupe'];
  if (value === undefined || value === null) return {};
  const strategy = dedupeStrategies.find((known) => known === value);
  if (strategy) return { dedupe: strategy };
  throw new ManifestProblem(
    `The dedupe strategy ${shown(value)} is not known; there are ${dedupeStrategies.join(', ')}`,
  );
}

function typeOf(fields: Fields): Manifest['type'] {
  const value = fields['type'];
  if (value === undefined || value === null || value === 'source') return 'source';
  if (value === 'action') return 'action';
  throw new ManifestProblem(`The component's type ${shown(value)} is not known; there are source, action`);
}

const isOfKind: Readonly<Record<FieldKind, (value: unknown) => boolean>> = {
  string: (value) => typeof value === 'string',
  boolean: (value) => typeof value === 'boolean',
  number: (value) => typeof value === 'number',
  json: (value) => value !== undefined,
  list: Array.isArray,
  object: isFields,
};

function ofKind(fields: Fields, names: readonly string[], kind: FieldKind): Fields {
  return Object.fromEntries(names.filter((name) => isOfKind[kind](fields[name])).map((name) => [name, fields[name]]));
}

const propFieldsOf = (fields: Fields): PropFields =>
  Object.assign({}, ...propFieldNames.map((name) => ofKind(fields, [name], propFields[name])));

function propOf(value: unknown): PropDefinition {
  const fields = isFields(value) ? value : {};
  const { name, type } = fields;
  if (typeof name !== 'string') throw new ManifestProblem('A prop has no name');
  if (typeof type !== 'string') throw new ManifestProblem(`Prop ${JSON.stringify(name)} has no type`);
  if (propTypeOf(type) === undefined)
    throw new ManifestProblem(`Prop ${JSON.stringify(name)} has the type ${shown(type)}, ${unknownType(type)}`);
  return {
    name,
    type,
    ...propFieldsOf(fields),
  };
}

function annotationsOf(given: Fields): { annotations?: Annotations } {
  const annotations = isFields(given['annotations']) ? ofKind(given['annotations'], annotationNames, 'boolean') : {};
  return Object.keys(annotations).length === 0 ? {} : { annotations };
}

/** A source has one endpoint: two props would name the same one. */
function propsOf(given: Fields): readonly PropDefinition[] {
  const props = list(given['props']).map(propOf);
  const [first, second] = props.filter(({ type }) => type === '$.interface.http');
  if (second === undefined) return props;
  throw new ManifestProblem(
    `Props ${JSON.stringify(first?.name)} and ${JSON.stringify(second.name)} are both of type $.interface.http; a source has one`,
  );
}

const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** Throws ManifestProblem. `given` is the guest's JSON, parsed. */
export function readManifest(given: Fields): Manifest {
  const [name, version] = [requiredText(given, 'name'), requiredText(given, 'version')];
  const type = typeOf(given);
  if (given['hasRun'] !== true) throw new ManifestProblem('The component has no run method');
  if (given['propsAreObject'] !== true) throw new ManifestProblem("The component's props must be an object");
  return {
    name,
    version,
    ...optionalText(given, 'key'),
    ...optionalText(given, 'description'),
    type,
    ...dedupeOf(given),
    props: propsOf(given),
    hooks: hookNames.filter((hook) => list(given['hooks']).includes(hook)),
    methods: list(given['methods']).filter((method) => typeof method === 'string'),
    additionalProps: given['additionalProps'] === true,
    sampleEmit: given['sampleEmit'] === true,
    ...annotationsOf(given),
  };
}
