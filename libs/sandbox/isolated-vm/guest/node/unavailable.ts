// Builtins that components cannot have. Packages import them in passing, so importing works; using one says why not.

const refusal = (text: string): Error => Object.assign(new Error(text), { code: 'ERR_NOT_AVAILABLE' });

/** Names that interop code asks for and that must look absent. */
const absent = new Set<PropertyKey>(['__esModule', 'then', 'default']);

export function unavailable(name: string, reason: string): object {
  const known = new Map<PropertyKey, () => never>();
  const get = (_target: object, field: PropertyKey): unknown => {
    if (typeof field === 'symbol' || absent.has(field)) return undefined;
    const existing = known.get(field);
    if (existing) return existing;
    const use = function (): never {
      throw refusal(`${name}.${String(field)} is not available to components: ${reason}`);
    };
    known.set(field, use);
    return use;
  };
  return new Proxy({}, { get });
}
