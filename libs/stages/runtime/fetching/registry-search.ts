// Finds components in the registry: the code of the one with a key, or all of an app.
import type { ComponentError } from '../../../domain/component/output.ts';
import { unknownKeyError } from '../../../domain/saved/fetch.ts';
import { reexportCodeOf, packageOf } from '../../../domain/component/program/registry-component.ts';
import type { RegistryComponent, RegistryQuery } from '../../../domain/component/program/registry-component.ts';
import type { ComponentsOutcome, Packages } from '../../../packages/packages.ts';
import type { FetchedContent } from './fetch-result.ts';

/** The most components of one app in a list. */
const componentsMax = 500;
/** The size of a list as JSON, since each list stays on the log. */
const listBytesMax = 64 * 1024;
/** The characters kept of each name and description: the first number with which the list fits. */
const textCharsMax = [300, 100, 40, 0];

export async function searchRegistry(
  packages: Packages,
  { app, key }: RegistryQuery,
  workspace: string,
): Promise<FetchedContent> {
  const outcome = await packages.components(packageOf(app), { workspace });
  if (outcome.kind !== 'found') return { error: errorOf(outcome, app) };
  return key === undefined ? { components: componentList(outcome.components) } : codeOf(outcome, key);
}

function codeOf(
  { package: { name, version }, components }: Extract<ComponentsOutcome, { kind: 'found' }>,
  key: string,
) {
  const component = components.find((one) => one.key === key);
  if (component !== undefined) return { code: reexportCodeOf({ name, version, path: component.path }) };
  const near = components.filter((one) => one.key.startsWith(key) || key.startsWith(one.key)).slice(0, 5);
  const hint = near.length === 0 ? '' : ` It has ${near.map((one) => one.key).join(', ')}.`;
  return unknownKey(`No component of ${name}@${version} has the key ${key}.${hint}`);
}

/** The list for the API, without paths and within the limits. */
function componentList(components: ComponentsFound): readonly RegistryComponent[] {
  const all = components.slice(0, componentsMax);
  for (const charsMax of textCharsMax) {
    const list = all.map((component) => summaryOf(component, charsMax));
    if (bytesOf(list) <= listBytesMax) return list;
  }
  // Even keys without any text are too much.
  let bytes = 0;
  return all.map((component) => summaryOf(component, 0)).filter((one) => (bytes += bytesOf(one) + 1) < listBytesMax);
}

const summaryOf = ({ key, type, name, description }: ComponentsFound[number], charsMax: number): RegistryComponent => ({
  key,
  type,
  name: name.slice(0, charsMax),
  description: description.slice(0, charsMax),
});

const bytesOf = (value: object): number => Buffer.byteLength(JSON.stringify(value));

type ComponentsFound = Extract<ComponentsOutcome, { kind: 'found' }>['components'];

function errorOf(outcome: Exclude<ComponentsOutcome, { kind: 'found' }>, app: string): ComponentError {
  const { error, kind } = outcome;
  if (kind === 'failed') return error;
  return unknownKey(`The app ${app} is not in the registry: ${error.message}. Look whether the key is spelled so.`)
    .error;
}

const unknownKey = (message: string): { readonly error: ComponentError } => ({
  error: { name: unknownKeyError, message },
});
