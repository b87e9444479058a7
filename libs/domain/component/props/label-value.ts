// Choices that come with their label, `{ label, value }` or `{ __lv: { label, value } }` (component-api.md 2.4).
import type { Json } from '../../json.ts';
import type { PropDefinition } from '../manifest.ts';
import { isObject } from './types/prop-type.ts';
import type { PropType } from './types/prop-type.ts';

/** The value without its label; `{ __lv: [...] }` is an array of such. A bare `{ label, value }` may be an object's value. */
export function withoutLabel(given: Json, type: PropType): Json {
  const chosen = isObject(given) && Object.keys(given).length === 1 && '__lv' in given;
  if (!chosen && type.labelled !== true) return given;
  const inner = chosen ? (given['__lv'] ?? null) : given;
  if (type.array === true && Array.isArray(inner)) return (inner as readonly Json[]).map(valueOf);
  return valueOf(inner);
}

/** What a component that asked for labels reads. */
export function labelled(value: Json, given: Json, definition: PropDefinition): Json {
  if (Array.isArray(value)) return (value as readonly Json[]).map((one) => labelledOne(one, given, definition));
  return labelledOne(value, given, definition);
}

function labelledOne(value: Json, given: Json, { options = [] }: PropDefinition): Json {
  const pairs = [...pairsOf(given), ...options].filter(isPair);
  const label = pairs.find((pair) => same(pair['value'], value))?.['label'];
  return { label: typeof label === 'string' ? label : String(value), value };
}

function pairsOf(given: Json): readonly Json[] {
  const inner = isObject(given) ? (given['__lv'] ?? given) : given;
  return Array.isArray(inner) ? (inner as readonly Json[]) : [inner];
}

/** The value of an option, which may be a bare value. */
export function valueOf(option: Json): Json {
  if (isObject(option) && isObject(option['__lv'])) return valueOf(option['__lv']);
  return isPair(option) ? (option['value'] ?? null) : option;
}

function isPair(given: Json): given is { readonly [name: string]: Json } {
  return (
    isObject(given) && 'value' in given && Object.keys(given).every((name) => name === 'label' || name === 'value')
  );
}

export const same = (a: Json | undefined, b: Json): boolean =>
  a !== undefined && JSON.stringify(a) === JSON.stringify(b);
