// Makes the component's manifest as JSON text, with known fields only; the host validates it.
import { annotationNames } from '../../../../domain/component/manifest.ts';
import { writeLine } from '../core/calls.ts';
import { objectKeys, stringSlice } from '../core/primordials.ts';
import { bagOf, hasSample, isBag, isFunction } from './definition.ts';
import type { Bag } from './definition.ts';
import { resetUnitBudget, fieldsJson, firstKeys, quoted } from './plain-json.ts';
import { propsMax } from './props/additional.ts';
import { propJson } from './props/prop-json.ts';

const componentFields = ['name', 'version', 'key', 'description', 'type', 'dedupe'];

/** A JSON list of the texts that `textOf` returns; undefined is left out. */
function listOf(names: readonly string[], textOf: (name: string) => string | undefined): string {
  let list = '';
  for (let at = 0; at < names.length; at++) {
    const text = textOf(names[at] ?? '');
    if (text !== undefined) list += `${list ? ',' : ''}${text}`;
  }
  return `[${list}]`;
}

const flagJson = (name: string, isSet: boolean): string => `"${name}":${isSet ? 'true' : 'false'}`;

const { toStringTag } = Symbol;
/** Characters of a hook's name that a warning shows. */
const shownNameUnits = 100;

/** Calling a generator runs none of its body, so a source with one would succeed and do nothing, or emit `{}`. */
function refuseGenerator(name: string, value: unknown): void {
  const kind = isFunction(value) ? (value as unknown as Record<symbol, unknown>)[toStringTag] : undefined;
  if (kind === 'GeneratorFunction' || kind === 'AsyncGeneratorFunction')
    throw new TypeError(
      `${name} is a generator, whose body would never run: remove the *, and make it async if it awaits`,
    );
}

const supportedHooks = ['deploy', 'activate', 'deactivate'];

function isSupportedHook(name: string): boolean {
  for (let at = 0; at < supportedHooks.length; at++) if (supportedHooks[at] === name) return true;
  return false;
}

/** Warns of a hook that never runs, such as a misspelt one. */
function warnOfUnusedHook(name: string, hook: unknown): void {
  const shown = stringSlice(name, 0, shownNameUnits);
  if (!isSupportedHook(name))
    writeLine('warn', `The hook "${shown}" never runs: hooks are deploy, activate and deactivate`);
  else if (hook !== undefined && hook !== null && !isFunction(hook))
    writeLine('warn', `The hook "${shown}" never runs: it is not a function`);
}

/** Throws an error for the component's author if the manifest is too large or the component cannot work. */
export function manifestJson(component: Bag): string {
  resetUnitBudget();
  const props = bagOf(component['props']);
  const hooks = bagOf(component['hooks']);
  if (objectKeys(props).length > propsMax) throw new TypeError(`The component has more than ${propsMax} props`);
  refuseGenerator('run', component['run']);
  refuseGenerator('sampleEmit', component['sampleEmit']);
  const hookNames = firstKeys(hooks);
  for (let at = 0; at < hookNames.length; at++) {
    const name = hookNames[at] ?? '';
    refuseGenerator(`The hook ${name}`, hooks[name]);
    warnOfUnusedHook(name, hooks[name]);
  }
  const fields = fieldsJson(component, componentFields);
  const parts = [
    `"props":${listOf(firstKeys(props), (name) => propJson(name, props[name]))}`,
    `"hooks":${listOf(hookNames, (name) => (isFunction(hooks[name]) ? quoted(name) : undefined))}`,
    `"methods":${listOf(firstKeys(bagOf(component['methods'])), quoted)}`,
    flagJson('hasRun', isFunction(component['run'])),
    flagJson('propsAreObject', component['props'] === undefined || isBag(component['props'])),
    flagJson('additionalProps', isFunction(component['additionalProps'])),
    flagJson('sampleEmit', hasSample(component)),
    `"annotations":{${fieldsJson(bagOf(component['annotations']), annotationNames)}}`,
  ];
  let text = fields;
  for (let at = 0; at < parts.length; at++) text += `${text ? ',' : ''}${parts[at] ?? ''}`;
  return `{${text}}`;
}
