// Which parameters a request takes: the fields of its DTO that have a validator.
import { getMetadataStorage } from 'class-validator';

type Constructor = new () => object;

const known = new WeakMap<Constructor, ReadonlySet<string>>();

/** A field without a validator would pass unchecked, so it is no parameter. */
export function knownParameters(dto: Constructor): ReadonlySet<string> {
  const before = known.get(dto);
  if (before !== undefined) return before;
  const metadata = getMetadataStorage().getTargetValidationMetadatas(dto, '', true, false);
  const names = new Set(metadata.map(({ propertyName }) => propertyName));
  known.set(dto, names);
  return names;
}
