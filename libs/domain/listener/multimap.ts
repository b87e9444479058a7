// A map with several values per key. Keys with one value, the usual case, have no Set, to save memory at 100,000 keys.

/** `Value` must not be a Set. */
export class Multimap<Value extends string | object> {
  readonly #entries = new Map<string, Value | Set<Value>>();

  keys(): Iterable<string> {
    return this.#entries.keys();
  }

  has(key: string): boolean {
    return this.#entries.has(key);
  }

  /** Each value once, in insertion order. Values can be deleted during the iteration. */
  get(key: string): Iterable<Value> {
    const values = this.#entries.get(key);
    if (values === undefined) return [];
    return values instanceof Set ? values : [values];
  }

  add(key: string, value: Value): void {
    const existing = this.#entries.get(key);
    if (existing === undefined) this.#entries.set(key, value);
    else if (existing instanceof Set) existing.add(value);
    else if (existing !== value) this.#entries.set(key, new Set([existing, value]));
  }

  delete(key: string, value: Value): void {
    const existing = this.#entries.get(key);
    if (existing === value) this.#entries.delete(key);
    else if (existing instanceof Set && existing.delete(value) && existing.size === 0) this.#entries.delete(key);
  }
}
