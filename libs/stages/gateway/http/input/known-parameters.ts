// Finds the parameters that a request accepts: the fields of its DTO that have a validator.
import { getMetadataStorage, IS_OPTIONAL } from 'class-validator';

type Constructor = new () => object;

interface Parameters {
  readonly names: ReadonlySet<string>;
  /** Can be absent or anything: `IsOptional` is their only validator. */
  readonly unvalidated: ReadonlySet<string>;
  /** Whether there are fields that must be present. */
  readonly hasRequired: boolean;
}

const cache = new WeakMap<Constructor, Parameters>();

/** A field without a validator would pass unchecked, so it is not a parameter. */
export const knownParameters = (dto: Constructor): ReadonlySet<string> => parametersOf(dto).names;

/** Whether validators could find a fault. If not, they need not run: they search all DTOs for those of this one. */
export function needsValidation(dto: Constructor, names: Iterable<string>): boolean {
  const { unvalidated, hasRequired } = parametersOf(dto);
  if (hasRequired) return true;
  for (const name of names) if (!unvalidated.has(name)) return true;
  return false;
}

function parametersOf(dto: Constructor): Parameters {
  const cached = cache.get(dto);
  if (cached !== undefined) return cached;
  const metadata = getMetadataStorage().getTargetValidationMetadatas(dto, '', true, false);
  const byName = Map.groupBy(metadata, ({ propertyName }) => propertyName);
  const isOptional = ({ name }: { readonly name?: string }): boolean => name === IS_OPTIONAL;
  const parameters: Parameters = {
    names: new Set(byName.keys()),
    unvalidated: new Set([...byName].filter(([, validators]) => validators.every(isOptional)).map(([name]) => name)),
    hasRequired: [...byName.values()].some((validators) => !validators.some(isOptional)),
  };
  cache.set(dto, parameters);
  return parameters;
}
