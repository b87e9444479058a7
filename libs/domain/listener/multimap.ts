// A map with several values per key. Keys with one value, the usual case, have no Set, to save memory at 100,000 keys.

/** `Value` must not be a Set. */
export class Multimap<Value extends string | object> {
  readonly #under = new Map<string, Value | Set<Value>>();

  keys(): Iterable<string> {
    return this.#under.keys();
  }

  has(key: string): boolean {
    return this.#under.has(key);
  }

  /** Each value once, in insertion order. Values can be deleted during the iteration. */
  get(key: string): Iterable<Value> {
    const under = this.#under.get(key);
    if (under === undefined) return [];
    return under instanceof Set ? under : [under];
  }

  add(key: string, value: Value): void {
    const under = this.#under.get(key);
    if (under === undefined) this.#under.set(key, value);
    else if (under instanceof Set) under.add(value);
    else if (under !== value) this.#under.set(key, new Set([under, value]));
  }

  delete(key: string, value: Value): void {
    const under = this.#under.get(key);
    if (under === value) this.#under.delete(key);
    else if (under instanceof Set && under.delete(value) && under.size === 0) this.#under.delete(key);
  }
}
