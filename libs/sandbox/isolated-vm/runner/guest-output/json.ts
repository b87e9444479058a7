// Reads JSON that a guest wrote, without trusting that it is JSON or what it holds.
import { isNestedTooDeep, type Json, type JsonObject } from '../../../../domain/json.ts';

/** Undefined when it is not JSON, or nested deeper than a record may be. */
export function readJson(text: string): Json | undefined {
  const value = parsed(text);
  return value === undefined || isNestedTooDeep(value) ? undefined : value;
}

/** Empty when it is not an object, or one of its fields is nested deeper than a record may be. */
export function readObject(text: string): Readonly<Record<string, unknown>> {
  const value = parsed(text);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return {};
  const fields: Readonly<Record<string, Json>> = value as JsonObject;
  return Object.values(fields).some(isNestedTooDeep) ? {} : fields;
}

function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}
