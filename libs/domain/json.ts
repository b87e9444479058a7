// JSON values, as records, views and guest messages carry them.

export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };
export type JsonObject = { readonly [name: string]: Json };

/** As the hosted service bounds nested JSON (docs/reference/component-api.md, "Endpoints"); keeps every recursive walk off the stack's end. */
export const jsonDepthMax = 256;

/** Of what API clients send: many times what props need, and few enough that every walk over it is short. */
export const inputDepthMax = 64;

/** Whether a value that came from outside has more levels of arrays and objects than any record may hold. */
export const isNestedTooDeep = (value: Json): boolean => isDeeperThan(jsonDepthMax, value);

function isDeeperThan(levels: number, value: Json): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((inner: Json) => isDeeperThan(levels - 1, inner));
}

const quote = 0x22;
const backslash = 0x5c;
const [openList, openObject, closeList, closeObject] = [0x5b, 0x7b, 0x5d, 0x7d];

/** The same of JSON text, before it is parsed: deep nesting takes a parser a hundred times as long as as many flat values. */
export function isTextNestedTooDeep(text: string): boolean {
  // So many levels are opened and closed.
  if (text.length <= 2 * jsonDepthMax) return false;
  let levels = 0;
  let isInString = false;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit === quote) isInString = !isInString;
    else if (isInString) at += unit === backslash ? 1 : 0;
    else if (unit === openList || unit === openObject) levels++;
    else if (unit === closeList || unit === closeObject) levels--;
    if (levels > jsonDepthMax) return true;
  }
  return false;
}
