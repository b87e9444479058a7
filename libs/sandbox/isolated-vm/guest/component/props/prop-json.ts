// Writes one prop as JSON text, with known fields only; the host validates it.
import { propFieldNames } from '../../../../../domain/component/prop-fields.ts';
import { isFunction } from '../definition.ts';
import { fieldsJson, quoted } from '../plain-json.ts';
import { resolveProp } from '../prop-chain.ts';

/** Fields that are computed here; the component's own values are ignored. */
const computedFields: readonly string[] = ['remoteOptions', 'remoteEventNames', 'dynamic'];
const pickedFields = ['type', ...propFieldNames.filter((name) => !computedFields.includes(name))];

/** `isDynamic`: it comes from `additionalProps`. */
export function propJson(name: string, prop: unknown, isDynamic = false): string {
  const definition = resolveProp(name, prop);
  const fields = fieldsJson(definition, pickedFields);
  const remote = isFunction(definition['options']) ? ',"remoteOptions":true' : '';
  const remoteNames = isFunction(definition['eventNames']) ? ',"remoteEventNames":true' : '';
  const dynamic = isDynamic ? ',"dynamic":true' : '';
  return `{"name":${quoted(name)}${fields ? ',' : ''}${fields}${remote}${remoteNames}${dynamic}}`;
}
