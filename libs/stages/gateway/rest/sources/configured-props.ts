// Rejects configured props that no component may get.
import type { Json, JsonObject } from '../../../../domain/json.ts';
import { invalidRequest } from '../../http/api-problem.ts';

/** `$...` is reserved for the product, and `$sealed` marks values that the product has encrypted. */
export function checkConfiguredProps(props: JsonObject): void {
  const own = Object.keys(props).find((name) => name.startsWith('$'));
  if (own !== undefined) throw refused(own, 'a prop must not begin with $');
  if (holdsSealed(props)) throw refused('$sealed', 'the name $sealed is reserved');
}

/** The depth of `value` was bounded when it came in. */
function holdsSealed(value: Json): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return Object.hasOwn(value, '$sealed') || Object.values(value).some(holdsSealed);
}

const refused = (name: string, why: string): Error =>
  invalidRequest(`configured_props: ${name}: ${why}.`, { problems: [{ field: 'configured_props', message: why }] });
