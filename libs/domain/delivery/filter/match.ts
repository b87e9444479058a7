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
  left: number;
}

/** The JSON pointer of the first field that does not match; undefined: the event matches. Never throws. */
export const mismatch = (filter: Filter, event: Json): string | undefined =>
  ofObject(filter, event, { left: stepsMax });

function ofObject(filter: Filter, value: Value, steps: Steps): string | undefined {
  if (steps.left-- <= 0) return undefined;
  if (isList(value)) return ofAny(value.length === 0 ? [undefined] : value, (one) => ofObject(filter, one, steps));
  for (const { name, at, wanted } of filter.fields) {
    const held = fieldOf(value, name);
    const fault = isFilter(wanted) ? ofObject(wanted, held, steps) : isWanted(wanted, held, steps) ? undefined : at;
    if (fault !== undefined) return fault;
  }
  const { anyOf } = filter;
  if (anyOf === undefined || ofAny(anyOf, (one) => ofObject(one, value, steps)) === undefined) return undefined;
  return `${filter.at}/$or`;
}

/** The first fault; undefined: one of them matches. */
function ofAny<T>(all: readonly T[], fault: (one: T) => string | undefined): string | undefined {
  let first: string | undefined;
  for (const one of all) {
    const at = fault(one);
    if (at === undefined) return undefined;
    first ??= at;
  }
  return first;
}

function isWanted(wanted: FieldTest, value: Value, steps: Steps): boolean {
  if (value !== undefined && !wanted.ifThere) return holdsWanted(wanted, value, steps);
  steps.left--;
  return value === undefined ? wanted.ifAbsent : true;
}

function holdsWanted(wanted: FieldTest, value: Json, steps: Steps): boolean {
  steps.left -= 1 + wanted.tests.length;
  if (steps.left <= 0) return true;
  if (isList(value)) return value.some((one) => holdsWanted(wanted, one, steps));
  if (typeof value === 'object' && value !== null) return false;
  const scalar: Scalar = value;
  return wanted.literals.has(scalar) || wanted.tests.some((test) => test(scalar));
}

const isList = (value: Value): value is readonly Json[] => Array.isArray(value);

function fieldOf(value: Value, name: string): Value {
  const isObject = typeof value === 'object' && value !== null && !isList(value);
  return isObject && Object.hasOwn(value, name) ? value[name] : undefined;
}
