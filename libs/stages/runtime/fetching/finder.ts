// Finds components in the registry: the code that a key means, or all that an app has.
import type { ComponentError } from '../../../domain/component/output.ts';
import { unknownKeyError } from '../../../domain/saved/fetch.ts';
import { codeOfPlace, packageOf } from '../../../domain/component/program/registry-component.ts';
import type { RegistryComponent, Wanted } from '../../../domain/component/program/registry-component.ts';
import type { ComponentsOutcome, Packages } from '../../../packages/packages.ts';
import type { Found } from '../outcome/finished.ts';

/** Components told of one app, and characters of a description: all of them share a record. */
const listedMax = 500;
const textCharsMax = 300;

export async function find(packages: Packages, { app, key }: Wanted, workspace: string): Promise<Found> {
  const outcome = await packages.components(packageOf(app), { workspace });
  if (outcome.kind !== 'found') return { error: errorOf(outcome, app) };
  return key === undefined ? { components: listed(outcome.components) } : codeOf(outcome, key);
}

function codeOf(
  { package: { name, version }, components }: Extract<ComponentsOutcome, { kind: 'found' }>,
  key: string,
) {
  const component = components.find((one) => one.key === key);
  if (component !== undefined) return { code: codeOfPlace({ name, version, path: component.path }) };
  const near = components.filter((one) => one.key.startsWith(key) || key.startsWith(one.key)).slice(0, 5);
  const hint = near.length === 0 ? '' : ` It has ${near.map((one) => one.key).join(', ')}.`;
  return unknown(`No component of ${name}@${version} has the key ${key}.${hint}`);
}

/** Without the paths, which only the package knows. */
const listed = (components: ComponentsFound): readonly RegistryComponent[] =>
  components.slice(0, listedMax).map(({ key, type, name, description }) => ({
    key,
    type,
    name: name.slice(0, textCharsMax),
    description: description.slice(0, textCharsMax),
  }));

type ComponentsFound = Extract<ComponentsOutcome, { kind: 'found' }>['components'];

function errorOf(outcome: Exclude<ComponentsOutcome, { kind: 'found' }>, app: string): ComponentError {
  const { error, kind } = outcome;
  if (kind === 'failed') return error;
  return unknown(`The app ${app} is not in the registry: ${error.message}. Look whether the key is spelled so.`).error;
}

const unknown = (message: string): { readonly error: ComponentError } => ({
  error: { name: unknownKeyError, message },
});
