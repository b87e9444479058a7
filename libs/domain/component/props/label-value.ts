// Values with a label, `{ label, value }` or `{ __lv: { label, value } }`
// (docs/reference/component-api.md, "The definition of a component").
import { isJsonObject, type Json } from '../../json.ts';
import type { PropDefinition } from '../manifest.ts';
import type { PropType } from './types/prop-type.ts';

/**
 * The value without its label; `{ __lv: [...] }` is an array of such values. A bare `{ label, value }` counts as a
 * value with a label only for types that have labels: elsewhere it can be the value itself.
 */
export function withoutLabel(input: Json, type: PropType): Json {
  const isWrapped = isJsonObject(input) && Object.keys(input).length === 1 && '__lv' in input;
  if (!isWrapped && type.labelled !== true) return input;
  const inner = isWrapped ? (input['__lv'] ?? null) : input;
  if (type.array === true && Array.isArray(inner)) return (inner as readonly Json[]).map(valueOf);
  return valueOf(inner);
}

/** The value with its label, for a component that asked for labels. Takes time linear in the number of choices. */
export function addLabels(value: Json, input: Json, { options = [] }: PropDefinition): Json {
  const labels = labelsOf([...pairsOf(input), ...options]);
  const addLabel = (one: Json): Json => ({ label: labels.get(JSON.stringify(one)) ?? String(one), value: one });
  return Array.isArray(value) ? (value as readonly Json[]).map(addLabel) : addLabel(value);
}

/** Labels by the JSON text of the value. The first pair of a value counts; a label that is not text is ignored. */
function labelsOf(choices: readonly Json[]): ReadonlyMap<string, string | undefined> {
  const labels = new Map<string, string | undefined>();
  for (const choice of choices) {
    if (!isPair(choice)) continue;
    const { label, value = null } = choice;
    const text = JSON.stringify(value);
    if (!labels.has(text)) labels.set(text, typeof label === 'string' ? label : undefined);
  }
  return labels;
}

function pairsOf(input: Json): readonly Json[] {
  const inner = isJsonObject(input) ? (input['__lv'] ?? input) : input;
  return Array.isArray(inner) ? (inner as readonly Json[]) : [inner];
}

/** The value of an option, which may be bare or wrapped in one or more `__lv`. */
export function valueOf(option: Json): Json {
  let inner = option;
  while (isJsonObject(inner) && isJsonObject(inner['__lv'])) inner = inner['__lv'];
  return isPair(inner) ? (inner['value'] ?? null) : inner;
}

function isPair(input: Json): input is { readonly [name: string]: Json } {
  return (
    isJsonObject(input) && 'value' in input && Object.keys(input).every((name) => name === 'label' || name === 'value')
  );
}
