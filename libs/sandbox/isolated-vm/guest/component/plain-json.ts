// Writes any value of a component as JSON text: bounded in depth, count and size, without functions or `toJSON` calls.
import { limits, LimitError } from '../core/guest-limits.ts';
import {
  dateGetTime,
  dateToIsoString,
  isArray,
  isFinite,
  jsonStringify,
  objectKeys,
  stringSlice,
} from '../core/primordials.ts';
import type { Bag } from './definition.ts';

const depthMax = 8;
const keysMax = 500;
const itemsMax = 1_000;
const textMax = 64 * 1024;

/** Characters that can still be written; each value costs at least one, even if it is empty. */
let remainingUnits = 0;

/** Resets the budget of characters; call before the first part of a text. */
export const resetUnitBudget = (): void => {
  remainingUnits = limits().manifestUnits;
};

function spend(text: string): string {
  remainingUnits -= text.length + 1;
  if (remainingUnits < 0) {
    throw new LimitError(
      `What the component says of itself is larger than ${limits().manifestUnits} characters of JSON`,
    );
  }
  return text;
}

export const quoted = (text: string): string => spend(jsonStringify(stringSlice(text, 0, textMax)) ?? '""');

function dateText(value: object): string | undefined {
  try {
    return isFinite(dateGetTime(value as Date)) ? quoted(dateToIsoString(value as Date)) : spend('null');
  } catch {
    return undefined;
  }
}

/** Undefined for a value that JSON cannot express, and for one that is nested too deep. */
export function plainJson(value: unknown, depth = 0): string | undefined {
  if (value === null) return spend('null');
  if (typeof value === 'boolean') return spend(value ? 'true' : 'false');
  if (typeof value === 'string') return quoted(value);
  if (typeof value === 'number') return spend(isFinite(value) ? (jsonStringify(value) ?? 'null') : 'null');
  if (typeof value !== 'object' || depth >= depthMax) return undefined;
  if (isArray(value)) return listJson(value, depth);
  return dateText(value) ?? `{${fieldsJson(value as Bag, firstKeys(value), depth)}}`;
}

function listJson(list: readonly unknown[], depth: number): string {
  let text = '';
  for (let at = 0; at < list.length && at < itemsMax; at++) {
    text += `${at > 0 ? ',' : ''}${plainJson(list[at], depth + 1) ?? spend('null')}`;
  }
  return `[${text}]`;
}

/** The fields that JSON can express, as the inside of a JSON object. */
export function fieldsJson(source: Bag, fields: readonly string[], depth = 0): string {
  let text = '';
  for (let at = 0; at < fields.length; at++) {
    const field = fields[at] ?? '';
    const value = plainJson(source[field], depth + 1);
    if (value !== undefined) text += `${text ? ',' : ''}${quoted(field)}:${value}`;
  }
  return text;
}

export function firstKeys(value: object): readonly string[] {
  const keys = objectKeys(value);
  if (keys.length > keysMax) keys.length = keysMax;
  return keys;
}
