// Decides whether an event matches a filter.
import type { Json } from '../../json.ts';
import { isFilter } from './filter.ts';
import type { FieldTest, Filter, Scalar } from './filter.ts';

/**
 * The most comparisons of values and missing fields for one event: some milliseconds. An event that needs more matches,
 * so that none is lost by mistake.
 */
const stepsMax = 50_000;

type Value = Json | undefined;

interface Steps {
  remaining: number;
}

/** The JSON pointer of the first field that does not match; undefined: the event matches. Never throws. */
export const mismatch = (filter: Filter, event: Json): string | undefined =>
  objectMismatch(filter, event, { remaining: stepsMax });

function objectMismatch(filter: Filter, value: Value, steps: Steps): string | undefined {
  if (steps.remaining-- <= 0) return undefined;
  if (isList(value))
    return mismatchUnlessAny(value.length === 0 ? [undefined] : value, (one) => objectMismatch(filter, one, steps));
  for (const { name, at, pattern } of filter.fields) {
    const fieldValue = fieldOf(value, name);
    const pointer = isFilter(pattern)
      ? objectMismatch(pattern, fieldValue, steps)
      : fieldMatches(pattern, fieldValue, steps)
        ? undefined
        : at;
    if (pointer !== undefined) return pointer;
  }
  const { anyOf } = filter;
  if (anyOf === undefined || mismatchUnlessAny(anyOf, (one) => objectMismatch(one, value, steps)) === undefined)
    return undefined;
  return `${filter.at}/$or`;
}

/** The first fault; undefined: one of them matches. */
function mismatchUnlessAny<T>(all: readonly T[], mismatchOf: (one: T) => string | undefined): string | undefined {
  let first: string | undefined;
  for (const one of all) {
    const pointer = mismatchOf(one);
    if (pointer === undefined) return undefined;
    first ??= pointer;
  }
  return first;
}

function fieldMatches(fieldTest: FieldTest, value: Value, steps: Steps): boolean {
  if (value !== undefined && !fieldTest.ifPresent) return valueMatches(fieldTest, value, steps);
  steps.remaining--;
  return value === undefined ? fieldTest.ifAbsent : true;
}

function valueMatches(fieldTest: FieldTest, value: Json, steps: Steps): boolean {
  steps.remaining -= 1 + fieldTest.tests.length;
  if (steps.remaining <= 0) return true;
  if (isList(value)) return value.some((one) => valueMatches(fieldTest, one, steps));
  if (typeof value === 'object' && value !== null) return false;
  const scalar: Scalar = value;
  return fieldTest.literals.has(scalar) || fieldTest.tests.some((test) => test(scalar));
}

const isList = (value: Value): value is readonly Json[] => Array.isArray(value);

function fieldOf(value: Value, name: string): Value {
  const isObject = typeof value === 'object' && value !== null && !isList(value);
  return isObject && Object.hasOwn(value, name) ? value[name] : undefined;
}
