// Which configured props are taken at all, before the component says what they mean.
import type { Json, JsonObject } from '../../../../domain/json.ts';
import { invalidRequest } from '../../http/api-problem.ts';

/** `$...` is the product's own namespace, and `$sealed` marks what only the product may have sealed. */
export function checkConfiguredProps(props: JsonObject): void {
  const own = Object.keys(props).find((name) => name.startsWith('$'));
  if (own !== undefined) throw refused(own, 'a prop must not begin with $');
  if (holdsSealed(props)) throw refused('$sealed', 'the name $sealed is reserved');
}

/** No deeper than input may be. */
function holdsSealed(value: Json): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return Object.hasOwn(value, '$sealed') || Object.values(value).some(holdsSealed);
}

const refused = (name: string, why: string): Error =>
  invalidRequest(`configured_props: ${name}: ${why}.`, { problems: [{ field: 'configured_props', message: why }] });
