// JSON of values that JSON refuses: loops, big integers and getters that throw.

/** What refers to something that contains it, and deeper than JSON is taken anywhere in the service. */
const loop = '[Circular]';
const depthMax = 500;

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

function fieldsOf(value: object, above: readonly object[]): Record<string, unknown> {
  const plain: Record<string, unknown> = {};
  for (const name of Object.keys(value)) {
    const field = plainOf(name, () => (value as Record<string, unknown>)[name], above);
    // Defined, because a field may be called __proto__.
    if (field !== undefined) Object.defineProperty(plain, name, { value: field, enumerable: true });
  }
  return plain;
}

/** The value as JSON has it; undefined for what JSON leaves out. */
function plainOf(name: string, read: () => unknown, above: readonly object[]): unknown {
  try {
    const found = read();
    const { toJSON } = (found ?? {}) as { readonly toJSON?: unknown };
    const value: unknown = typeof toJSON === 'function' ? toJSON.call(found, name) : found;
    if (typeof value === 'bigint') return String(value);
    if (typeof value === 'function' || typeof value === 'symbol') return undefined;
    if (!isObject(value)) return value;
    if (above.includes(value) || above.length >= depthMax) return loop;
    const inner = [...above, value];
    if (!Array.isArray(value)) return fieldsOf(value, inner);
    return value.map((_, at) => plainOf(String(at), () => value[at] as unknown, inner) ?? null);
  } catch {
    return undefined;
  }
}

/** As JSON.stringify, and never throws; undefined for what has no JSON, such as a function. */
export function jsonStringifySafe(value: unknown, space?: string | number): string | undefined {
  return JSON.stringify(
    plainOf('', () => value, []),
    null,
    space,
  );
}

/** A copy that shares nothing with the value and has what JSON keeps of it. */
export function cloneSafe(value: unknown): unknown {
  const text = jsonStringifySafe(value);
  return text === undefined ? undefined : JSON.parse(text);
}
