// Checks the types of values that were parsed from JSON.

export type Fields = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
export const isText = (value: unknown): value is string => typeof value === 'string';
export const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;
/** A SHA-256 in hex. */
export const isHash = (value: unknown): value is string => isText(value) && /^[0-9a-f]{64}$/.test(value);
