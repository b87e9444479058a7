// JSON values, as records, views and guest messages carry them.

export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };
export type JsonObject = { readonly [name: string]: Json };

/** As the hosted service bounds nested JSON (component-api.md 1.9); keeps every recursive walk off the stack's end. */
export const jsonDepthMax = 256;

/** Of what API clients send: many times what props need, and few enough that every walk over it is short. */
export const inputDepthMax = 64;

/** Whether a value that came from outside has more levels of arrays and objects than any record may hold. */
export const isNestedTooDeep = (value: Json): boolean => isDeeperThan(jsonDepthMax, value);

function isDeeperThan(levels: number, value: Json): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((inner: Json) => isDeeperThan(levels - 1, inner));
}
