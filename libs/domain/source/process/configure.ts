// Configures a described revision: checks its manifest, validates its props and seals each secret value.
import type { Json, JsonObject } from '../../json.ts';
import { isSealed } from '../../secrets/seal.ts';
import type { Sealed } from '../../secrets/sealed.ts';
import { sizes } from '../../sizes.ts';
import type { Manifest, PropDefinition } from '../../component/manifest.ts';
import { manifestProblems } from '../../component/manifest-problems.ts';
import type { DeployRefusal } from '../../definition/deploy-refusal.ts';
import type { PropProblem } from '../../component/props/prop-problem.ts';
import { accountProblems } from '../../component/props/accounts/account-props.ts';
import type { AppOf } from '../../component/props/accounts/account-props.ts';
import { dataStoreProblems } from '../../component/props/data-stores.ts';
import { isStoredSealed, isValueless } from '../../component/props/prop-types.ts';
import { defaultValueOf, validateProps } from '../../component/props/validate.ts';

export type StoredProps = { readonly [name: string]: JsonObject[string] | Sealed };

/** The configuration of the current revision, from `SourceConfigured`. */
export interface Configuration {
  readonly manifest: Manifest;
  readonly props: StoredProps;
}

interface SealFunctions {
  readonly seal: (value: Json) => Sealed;
  readonly unseal: (sealed: Sealed) => Json;
}

/** The things that props can name, besides the sealing. */
interface ConfigureContext extends SealFunctions {
  readonly appOf: AppOf;
  /** Ids of all data stores of the workspace; undefined: they are not known. */
  readonly dataStores?: readonly string[] | undefined;
}

/** The most bytes of an event's data: the rest of the record is for the envelope. */
export const dataBytesMax = sizes.recordBytes - 2 * 1024;
/** How many problems a message names at most. */
const problemsShownMax = 20;

/** `readValues` may throw: the given or the current values cannot be decrypted. */
export function configure(
  manifest: Manifest,
  readValues: () => JsonObject,
  { seal, appOf, dataStores }: ConfigureContext,
): { readonly props: StoredProps } | DeployRefusal {
  const manifestErrors = manifestProblems(manifest);
  if (manifestErrors.length > 0) return { reason: 'component_invalid', message: joinProblems(manifestErrors) };
  let configuredValues: JsonObject;
  try {
    configuredValues = readValues();
  } catch {
    const message = 'The props cannot be opened with the data key of this workspace. Deploy the source again.';
    return { reason: 'props_invalid', message };
  }
  const validated = validateProps(manifest, configuredValues);
  const propErrors = 'problems' in validated ? validated.problems : [];
  const values = 'problems' in validated ? configuredValues : validated.values;
  // Reports all problems at once, one per prop, so that nobody has to correct their props twice.
  const invalidNames = new Set(propErrors.map(({ prop }) => prop));
  const referenceProblems = [
    ...accountProblems(manifest, values, appOf),
    ...dataStoreProblems(manifest, values, dataStores),
  ].filter(({ prop }) => !invalidNames.has(prop));
  const problems = [...propErrors, ...referenceProblems];
  if (problems.length > 0) return invalid(problems);
  const secret = new Set(manifest.props.filter(isStoredSealed).map((prop) => prop.name));
  const stored = Object.entries(values).map(([name, value]: [string, Json]) => [
    name,
    secret.has(name) ? seal(value) : value,
  ]);
  return { props: Object.fromEntries(stored) as StoredProps };
}

const invalid = (problems: readonly PropProblem[]): DeployRefusal => ({
  reason: 'props_invalid',
  message: joinProblems(problems.map(({ message }) => message)),
  problems: problems.slice(0, problemsShownMax),
});

/** The refusal for a `SourceConfigured` that is too large. */
export const propsTooLarge = {
  reason: 'props_invalid',
  message: `The props together are too large: at most ${dataBytesMax} bytes are kept.`,
} as const;

/** Whether the data is too large for an event's record. */
export const isTooLarge = (data: unknown): boolean => Buffer.byteLength(JSON.stringify(data)) > dataBytesMax;

/**
 * The current values in clear, except those unknown to `manifest`, those of props that take no value there, and
 * those that equal their default, which nobody may have given. A secret value is never given to a prop that is
 * not secret.
 */
export function retainedProps(
  current: Configuration,
  manifest: Manifest,
  { unseal }: Pick<SealFunctions, 'unseal'>,
): JsonObject {
  const currentProps = new Map(current.manifest.props.map((prop) => [prop.name, prop]));
  const retained: [string, Json][] = [];
  for (const prop of manifest.props) {
    const value = Object.hasOwn(current.props, prop.name) ? current.props[prop.name] : undefined;
    if (value === undefined || prop.static !== undefined || isValueless(prop)) continue;
    if (isSealed(value) && !isStoredSealed(prop)) continue;
    const clear = isSealed(value) ? unseal(value) : (value as Json);
    if (!isDefault(clear, currentProps.get(prop.name))) retained.push([prop.name, clear]);
  }
  return Object.fromEntries(retained);
}

const isDefault = (value: Json, prop: PropDefinition | undefined): boolean =>
  prop !== undefined && JSON.stringify(defaultValueOf(prop)) === JSON.stringify(value);

function joinProblems(problems: readonly string[]): string {
  const more = problems.length - problemsShownMax;
  return [...problems.slice(0, problemsShownMax), ...(more > 0 ? [`And ${more} more.`] : [])].join(' ');
}
