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
import { isKeptSealed, isValueless } from '../../component/props/prop-types.ts';
import { defaultValueOf, validateProps } from '../../component/props/validate.ts';

export type StoredProps = { readonly [name: string]: JsonObject[string] | Sealed };

/** The configuration of the current revision, from `SourceConfigured`. */
export interface Configuration {
  readonly manifest: Manifest;
  readonly props: StoredProps;
}

interface Sealing {
  readonly seal: (value: Json) => Sealed;
  readonly unseal: (sealed: Sealed) => Json;
}

/** The things that props can name, besides the sealing. */
interface Known extends Sealing {
  readonly appOf: AppOf;
  /** Ids of all data stores of the workspace; undefined: they are not known. */
  readonly dataStores?: readonly string[] | undefined;
}

/** The most bytes of an event's data: the rest of the record is for the envelope. */
export const dataBytesMax = sizes.recordBytes - 2 * 1024;
/** How many problems a message names at most. */
const problemsShownMax = 20;

/** `given` may throw: the given or the current values cannot be decrypted. */
export function configure(
  manifest: Manifest,
  given: () => JsonObject,
  { seal, appOf, dataStores }: Known,
): { readonly props: StoredProps } | DeployRefusal {
  const wrong = manifestProblems(manifest);
  if (wrong.length > 0) return { reason: 'component_invalid', message: listed(wrong) };
  let opened: JsonObject;
  try {
    opened = given();
  } catch {
    const message = 'The props cannot be opened with the data key of this workspace. Deploy the source again.';
    return { reason: 'props_invalid', message };
  }
  const validated = validateProps(manifest, opened);
  const wrongProps = 'problems' in validated ? validated.problems : [];
  const values = 'problems' in validated ? opened : validated.values;
  // Reports all problems at once, one per prop, so that nobody has to correct their props twice.
  const wrongNames = new Set(wrongProps.map(({ prop }) => prop));
  const unknown = [
    ...accountProblems(manifest, values, appOf),
    ...dataStoreProblems(manifest, values, dataStores),
  ].filter(({ prop }) => !wrongNames.has(prop));
  const problems = [...wrongProps, ...unknown];
  if (problems.length > 0) return invalid(problems);
  const secret = new Set(manifest.props.filter(isKeptSealed).map((prop) => prop.name));
  const stored = Object.entries(values).map(([name, value]: [string, Json]) => [
    name,
    secret.has(name) ? seal(value) : value,
  ]);
  return { props: Object.fromEntries(stored) as StoredProps };
}

const invalid = (problems: readonly PropProblem[]): DeployRefusal => ({
  reason: 'props_invalid',
  message: listed(problems.map(({ message }) => message)),
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
export function keptProps(
  standing: Configuration,
  manifest: Manifest,
  { unseal }: Pick<Sealing, 'unseal'>,
): JsonObject {
  const before = new Map(standing.manifest.props.map((prop) => [prop.name, prop]));
  const kept: [string, Json][] = [];
  for (const prop of manifest.props) {
    const value = Object.hasOwn(standing.props, prop.name) ? standing.props[prop.name] : undefined;
    if (value === undefined || prop.static !== undefined || isValueless(prop)) continue;
    if (isSealed(value) && !isKeptSealed(prop)) continue;
    const clear = isSealed(value) ? unseal(value) : (value as Json);
    if (!isDefault(clear, before.get(prop.name))) kept.push([prop.name, clear]);
  }
  return Object.fromEntries(kept);
}

const isDefault = (value: Json, prop: PropDefinition | undefined): boolean =>
  prop !== undefined && JSON.stringify(defaultValueOf(prop)) === JSON.stringify(value);

function listed(problems: readonly string[]): string {
  const more = problems.length - problemsShownMax;
  return [...problems.slice(0, problemsShownMax), ...(more > 0 ? [`And ${more} more.`] : [])].join(' ');
}
