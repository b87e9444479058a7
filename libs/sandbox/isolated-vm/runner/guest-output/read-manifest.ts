// Reads the manifest from a guest, and names the first part that is not allowed
// (docs/reference/component-api.md, "The definition of a component").
import { annotationNames } from '../../../../domain/component/manifest.ts';
import type { Annotations, DedupeStrategy, Manifest, PropDefinition } from '../../../../domain/component/manifest.ts';
import { ManifestProblem, ofKind, readProps, shown } from '../../../../domain/component/props/read-props.ts';
import type { Fields } from '../../../../domain/component/props/read-props.ts';
import { isObject } from '../../../../domain/shape/checks.ts';

const dedupeStrategies: readonly DedupeStrategy[] = ['unique', 'greatest', 'last'];
const hookNames = ['deploy', 'activate', 'deactivate'] as const;
/** Longer names and versions are rejected as mistakes. */
const nameUnitsMax = 1_000;

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

function annotationsOf(given: Fields): { annotations?: Annotations } {
  const annotations = isObject(given['annotations']) ? ofKind(given['annotations'], annotationNames, 'boolean') : {};
  return Object.keys(annotations).length === 0 ? {} : { annotations };
}

const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** The hooks to call, with the function `eventNames` of a prop first. */
function hooksOf(given: Fields, props: readonly PropDefinition[]): Manifest['hooks'] {
  const hooks = hookNames.filter((hook) => list(given['hooks']).includes(hook));
  return props.some(({ remoteEventNames }) => remoteEventNames === true) ? ['event_names', ...hooks] : hooks;
}

/** `given` is the guest's JSON, parsed. Throws ManifestProblem. */
export function readManifest(given: Fields): Manifest {
  const [name, version] = [requiredText(given, 'name'), requiredText(given, 'version')];
  const type = typeOf(given);
  const props = readProps(given['props']);
  if (given['hasRun'] !== true) throw new ManifestProblem('The component has no run method');
  if (given['propsAreObject'] !== true) throw new ManifestProblem("The component's props must be an object");
  return {
    name,
    version,
    ...optionalText(given, 'key'),
    ...optionalText(given, 'description'),
    type,
    ...dedupeOf(given),
    props,
    hooks: hooksOf(given, props),
    methods: list(given['methods']).filter((method) => typeof method === 'string'),
    additionalProps: given['additionalProps'] === true,
    sampleEmit: given['sampleEmit'] === true,
    ...annotationsOf(given),
  };
}
