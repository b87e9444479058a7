// JSON text from outside, checked before it is parsed: the one way in for bodies and for values in a query string.
import type { JsonBounds, JsonFault, JsonPlace } from './json-scan.ts';
import { findJsonFault } from './json-scan.ts';

/** `error`: it is not JSON, in the words of the parser. */
export type ReadJson = { readonly value: unknown } | { readonly fault: JsonFault } | { readonly error: string };

/** Takes well-formed Unicode. */
export function readJson(text: string, place?: JsonPlace, bounds?: JsonBounds): ReadJson {
  const fault = findJsonFault(text, place, bounds);
  if (fault !== undefined) return { fault };
  try {
    return { value: JSON.parse(text) as unknown };
  } catch (error) {
    const cause = error instanceof Error ? error.message : 'unknown cause';
    // V8 quotes the text around the fault; only what comes before the quote is ours to repeat.
    return { error: cause.split(', "', 1)[0] ?? cause };
  }
}
