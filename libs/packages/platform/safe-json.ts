// Makes JSON of values for which JSON.stringify throws: cycles, big integers and getters that throw.

/** Replaces references to a containing object, and levels deeper than the service accepts JSON. */
const circularMark = '[Circular]';
const depthMax = 500;

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

function fieldsOf(value: object, ancestors: readonly object[]): Record<string, unknown> {
  const plain: Record<string, unknown> = {};
  for (const name of Object.keys(value)) {
    const field = plainOf(name, () => (value as Record<string, unknown>)[name], ancestors);
    // Defined instead of assigned, because a field can be named __proto__.
    if (field !== undefined) Object.defineProperty(plain, name, { value: field, enumerable: true });
  }
  return plain;
}

/** The value in the form of JSON; undefined if JSON leaves it out. */
function plainOf(name: string, read: () => unknown, ancestors: readonly object[]): unknown {
  try {
    const raw = read();
    const { toJSON } = (raw ?? {}) as { readonly toJSON?: unknown };
    const value: unknown = typeof toJSON === 'function' ? toJSON.call(raw, name) : raw;
    if (typeof value === 'bigint') return String(value);
    if (typeof value === 'function' || typeof value === 'symbol') return undefined;
    if (!isObject(value)) return value;
    if (ancestors.includes(value) || ancestors.length >= depthMax) return circularMark;
    const inner = [...ancestors, value];
    if (!Array.isArray(value)) return fieldsOf(value, inner);
    return value.map((_, at) => plainOf(String(at), () => value[at] as unknown, inner) ?? null);
  } catch {
    return undefined;
  }
}

/** Like JSON.stringify, but never throws; undefined for a value without JSON, such as a function. */
export function jsonStringifySafe(value: unknown, space?: string | number): string | undefined {
  return JSON.stringify(
    plainOf('', () => value, []),
    null,
    space,
  );
}

/** A deep copy of the parts that JSON keeps. */
export function cloneSafe(value: unknown): unknown {
  const text = jsonStringifySafe(value);
  return text === undefined ? undefined : JSON.parse(text);
}
