// Writes one prop as JSON text, with known fields only; the host validates it.
import { propFieldNames } from '../../../../../domain/component/prop-fields.ts';
import { isFunction } from '../definition.ts';
import { fieldsJson, quoted } from '../plain-json.ts';
import { resolved } from '../prop-chain.ts';

/** Fields that are computed here; the component's own values are ignored. */
const foundOut: readonly string[] = ['remoteOptions', 'remoteEventNames', 'dynamic'];
const pickedFields = ['type', ...propFieldNames.filter((name) => !foundOut.includes(name))];

/** `isDynamic`: it comes from `additionalProps`. */
export function propJson(name: string, given: unknown, isDynamic = false): string {
  const definition = resolved(name, given);
  const fields = fieldsJson(definition, pickedFields);
  const remote = isFunction(definition['options']) ? ',"remoteOptions":true' : '';
  const named = isFunction(definition['eventNames']) ? ',"remoteEventNames":true' : '';
  const dynamic = isDynamic ? ',"dynamic":true' : '';
  return `{"name":${quoted(name)}${fields ? ',' : ''}${fields}${remote}${named}${dynamic}}`;
}
