// Reads the manifest from a guest, and names the first part that is not allowed
// (docs/reference/component-api.md, "The definition of a component").
import { annotationNames } from '../../../../domain/component/manifest.ts';
import type { Annotations, DedupeStrategy, Manifest, PropDefinition } from '../../../../domain/component/manifest.ts';
import {
  ManifestError,
  pickFieldsOfKind,
  readProps,
  quoteValue,
} from '../../../../domain/component/props/read-props.ts';
import type { Fields } from '../../../../domain/component/props/read-props.ts';
import { isObject } from '../../../../domain/shape/checks.ts';

const dedupeStrategies: readonly DedupeStrategy[] = ['unique', 'greatest', 'last'];
const hookNames = ['deploy', 'activate', 'deactivate'] as const;
/** Longer names and versions are rejected as mistakes. */
const nameUnitsMax = 1_000;

function requiredText(fields: Fields, field: string): string {
  const value = fields[field];
  if (typeof value !== 'string' || value.trim() === '') {
    throw new ManifestError(`The component's ${field} must be a text; it is ${quoteValue(value)}`);
  }
  if (value.length > nameUnitsMax) throw new ManifestError(`The component's ${field} is longer than ${nameUnitsMax}`);
  return value;
}

const optionalText = (fields: Fields, field: string): Record<string, string> =>
  typeof fields[field] === 'string' ? { [field]: fields[field] } : {};

function dedupeOf(fields: Fields): { dedupe?: DedupeStrategy } {
  const value = fields['dedupe'];
  if (value === undefined || value === null) return {};
  const strategy = dedupeStrategies.find((known) => known === value);
  if (strategy) return { dedupe: strategy };
  throw new ManifestError(
    `The dedupe strategy ${quoteValue(value)} is not known; there are ${dedupeStrategies.join(', ')}`,
  );
}

function typeOf(fields: Fields): Manifest['type'] {
  const value = fields['type'];
  if (value === undefined || value === null || value === 'source') return 'source';
  if (value === 'action') return 'action';
  throw new ManifestError(`The component's type ${quoteValue(value)} is not known; there are source, action`);
}

function annotationsOf(fields: Fields): { annotations?: Annotations } {
  const annotations = isObject(fields['annotations'])
    ? pickFieldsOfKind(fields['annotations'], annotationNames, 'boolean')
    : {};
  return Object.keys(annotations).length === 0 ? {} : { annotations };
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** The hooks to call, with the function `eventNames` of a prop first. */
function hooksOf(fields: Fields, props: readonly PropDefinition[]): Manifest['hooks'] {
  const hooks = hookNames.filter((hook) => listOf(fields['hooks']).includes(hook));
  return props.some(({ remoteEventNames }) => remoteEventNames === true) ? ['event_names', ...hooks] : hooks;
}

/** `fields` is the guest's JSON, parsed. Throws ManifestError. */
export function readManifest(fields: Fields): Manifest {
  const [name, version] = [requiredText(fields, 'name'), requiredText(fields, 'version')];
  const type = typeOf(fields);
  const props = readProps(fields['props']);
  if (fields['hasRun'] !== true) throw new ManifestError('The component has no run method');
  if (fields['propsAreObject'] !== true) throw new ManifestError("The component's props must be an object");
  return {
    name,
    version,
    ...optionalText(fields, 'key'),
    ...optionalText(fields, 'description'),
    type,
    ...dedupeOf(fields),
    props,
    hooks: hooksOf(fields, props),
    methods: listOf(fields['methods']).filter((method) => typeof method === 'string'),
    additionalProps: fields['additionalProps'] === true,
    sampleEmit: fields['sampleEmit'] === true,
    ...annotationsOf(fields),
  };
}
