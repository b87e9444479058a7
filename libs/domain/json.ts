// The types of JSON values in records, views and guest messages, and the bounds of their nesting.

export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };
export type JsonObject = { readonly [name: string]: Json };

export const isJsonObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The hosted service's bound on nesting (docs/reference/component-api.md, "Endpoints"); prevents stack overflows. */
export const jsonDepthMax = 256;

/** The deepest nesting in API requests: many times what props need, and small enough for cheap traversal. */
export const inputDepthMax = 64;

/** Whether a value from outside has more levels of arrays and objects than a record is allowed to hold. */
export const isNestedTooDeep = (value: Json): boolean => isDeeperThan(jsonDepthMax, value);

function isDeeperThan(levels: number, value: Json): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((inner: Json) => isDeeperThan(levels - 1, inner));
}

const quote = 0x22;
const backslash = 0x5c;
const [openList, openObject, closeList, closeObject] = [0x5b, 0x7b, 0x5d, 0x7d];

/** The same for JSON text, before parsing: deep nesting costs a parser a hundred times as much as flat values. */
export function isTextNestedTooDeep(text: string): boolean {
  // Each level takes two characters, so a shorter text cannot be too deep.
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
