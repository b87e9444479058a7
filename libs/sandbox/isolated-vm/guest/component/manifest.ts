// The component's manifest as JSON text, with known fields only; the host trusts none of it.
import { annotationNames } from '../../../../domain/component/manifest.ts';
import { propFieldNames } from '../../../../domain/component/props/prop-fields.ts';
import { isArray, objectAssign, objectKeys, toText } from '../core/primordials.ts';
import { bagOf, hasSample, isBag, isFunction, propOf } from './definition.ts';
import type { Bag } from './definition.ts';
import { beginPlainJson, fieldsJson, firstKeys, quoted } from './plain-json.ts';

const componentFields = ['name', 'version', 'key', 'description', 'type', 'dedupe'];
/** Whether `options` is a function is found out here. */
const pickedFields = ['type', ...propFieldNames.filter((name) => name !== 'remoteOptions')];

/** A propDefinition may lead to another; a longer chain is taken for a circle. */
const inheritMax = 8;

/** `propDefinition: [app, name]` inherits from the app's definition, own fields override. */
function resolved(name: string, given: unknown, depth = 0): Bag {
  const definition = propOf(given);
  const reference = definition['propDefinition'];
  if (!isArray(reference)) return definition;
  const inherited = toText((reference as unknown[])[1]);
  const base = bagOf(bagOf((reference as unknown[])[0])['propDefinitions'])[inherited];
  if (base === undefined || depth >= inheritMax) {
    throw new TypeError(`Prop ${name}: its propDefinition ${inherited} is not in the app's propDefinitions`);
  }
  return objectAssign(objectAssign({}, resolved(name, base, depth + 1)), definition);
}

function propJson(name: string, given: unknown): string {
  const definition = resolved(name, given);
  const fields = fieldsJson(definition, pickedFields);
  const remote = isFunction(definition['options']) ? ',"remoteOptions":true' : '';
  return `{"name":${quoted(name)}${fields ? ',' : ''}${fields}${remote}}`;
}

/** A JSON list of what `textOf` gives; undefined is left out. */
function listOf(names: readonly string[], textOf: (name: string) => string | undefined): string {
  let list = '';
  for (let at = 0; at < names.length; at++) {
    const text = textOf(names[at] ?? '');
    if (text !== undefined) list += `${list ? ',' : ''}${text}`;
  }
  return `[${list}]`;
}

const flag = (name: string, value: boolean): string => `"${name}":${value ? 'true' : 'false'}`;

/** More props than a list of names can hold are refused, so that none is left out silently. */
const propsMax = 500;

/** Throws to the component's author when there is too much of it. */
export function manifestJson(component: Bag): string {
  beginPlainJson();
  const props = bagOf(component['props']);
  const hooks = bagOf(component['hooks']);
  if (objectKeys(props).length > propsMax) throw new TypeError(`The component has more than ${propsMax} props`);
  const fields = fieldsJson(component, componentFields);
  const parts = [
    `"props":${listOf(firstKeys(props), (name) => propJson(name, props[name]))}`,
    `"hooks":${listOf(firstKeys(hooks), (name) => (isFunction(hooks[name]) ? quoted(name) : undefined))}`,
    `"methods":${listOf(firstKeys(bagOf(component['methods'])), quoted)}`,
    flag('hasRun', isFunction(component['run'])),
    flag('propsAreObject', component['props'] === undefined || isBag(component['props'])),
    flag('additionalProps', isFunction(component['additionalProps'])),
    flag('sampleEmit', hasSample(component)),
    `"annotations":{${fieldsJson(bagOf(component['annotations']), annotationNames)}}`,
  ];
  let text = fields;
  for (let at = 0; at < parts.length; at++) text += `${text ? ',' : ''}${parts[at] ?? ''}`;
  return `{${text}}`;
}
