// Reads JSON that a guest wrote, without trusting that it is JSON or what it holds.
import { isNestedTooDeep, type Json } from '../../../../domain/json.ts';

/** Undefined when it is not JSON, or nested deeper than a record may be. */
export function readJson(text: string): Json | undefined {
  try {
    const value = JSON.parse(text) as Json;
    return isNestedTooDeep(value) ? undefined : value;
  } catch {
    return undefined;
  }
}

/** Empty when it is not an object. */
export function readObject(text: string): Readonly<Record<string, unknown>> {
  const value = readJson(text);
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
}
