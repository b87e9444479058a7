// Reads JSON of a guest, which might be invalid or have any content.
import { isNestedTooDeep, type Json, type JsonObject } from '../../../../domain/json.ts';

/** Undefined if it is not JSON, or nested deeper than a record can be. */
export function readJson(text: string): Json | undefined {
  const value = parse(text);
  return value === undefined || isNestedTooDeep(value) ? undefined : value;
}

/** Empty if it is not an object, or a field is nested deeper than a record can be. */
export function readObject(text: string): Readonly<Record<string, unknown>> {
  const value = parse(text);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return {};
  const fields: Readonly<Record<string, Json>> = value as JsonObject;
  return Object.values(fields).some(isNestedTooDeep) ? {} : fields;
}

function parse(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}
