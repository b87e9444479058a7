// Caches looked-up series, so that counting costs one access to a small map.
export class Memo<Name, T> {
  readonly #cached = new Map<Name, T>();
  readonly #find: (name: Name) => T;

  constructor(find: (name: Name) => T) {
    this.#find = find;
  }

  of(name: Name): T {
    const known = this.#cached.get(name);
    if (known !== undefined) return known;
    const found = this.#find(name);
    this.#cached.set(name, found);
    return found;
  }
}
