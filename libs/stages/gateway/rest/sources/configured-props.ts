// Rejects configured props that no component may get.
import type { Json, JsonObject } from '../../../../domain/json.ts';
import { invalidRequest } from '../../http/api-problem.ts';

/** `$...` is reserved for the product, and `$sealed` marks values that the product has encrypted. */
export function checkConfiguredProps(props: JsonObject): void {
  const reservedName = Object.keys(props).find((name) => name.startsWith('$'));
  if (reservedName !== undefined) throw propProblem(reservedName, 'a prop must not begin with $');
  if (containsSealed(props)) throw propProblem('$sealed', 'the name $sealed is reserved');
}

/** The depth of `value` was bounded when it came in. */
function containsSealed(value: Json): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return Object.hasOwn(value, '$sealed') || Object.values(value).some(containsSealed);
}

const propProblem = (name: string, reason: string): Error =>
  invalidRequest(`configured_props: ${name}: ${reason}.`, {
    problems: [{ field: 'configured_props', message: reason }],
  });
