// Checks and parses JSON text from outside: all bodies and values in query strings pass through here.
import type { JsonBounds, JsonFault, JsonContext } from './json-scan.ts';
import { findJsonFault } from './json-scan.ts';

/** `error`: the parser's message about text that is not JSON. */
export type JsonResult = { readonly value: unknown } | { readonly fault: JsonFault } | { readonly error: string };

/** `text`: well-formed Unicode. */
export function readJson(text: string, context?: JsonContext, bounds?: JsonBounds): JsonResult {
  const fault = findJsonFault(text, context, bounds);
  if (fault !== undefined) return { fault };
  try {
    return { value: JSON.parse(text) as unknown };
  } catch (error) {
    const cause = error instanceof Error ? error.message : 'unknown cause';
    // V8 quotes the text around the fault, which must not be repeated: only the part before the quote is.
    return { error: cause.split(', "', 1)[0] ?? cause };
  }
}
