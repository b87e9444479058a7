// Items of several owners that wait for something: owners take turns, and so do the items of each.

export class TurnsOfOwners<T> {
  /** In the order of turns. */
  readonly #byOwner = new Map<string, Set<T>>();
  readonly #ownerOf: (item: T) => string;
  #size = 0;

  constructor(ownerOf: (item: T) => string) {
    this.#ownerOf = ownerOf;
  }

  get size(): number {
    return this.#size;
  }

  /** All that wait, by owner. */
  *[Symbol.iterator](): Generator<T> {
    for (const items of this.#byOwner.values()) yield* items;
  }

  /** After its owner's others; one that waits already keeps its turn. */
  add(item: T): void {
    const owner = this.#ownerOf(item);
    const items = this.#byOwner.get(owner) ?? new Set<T>();
    if (items.has(item)) return;
    items.add(item);
    this.#byOwner.set(owner, items);
    this.#size++;
  }

  delete(item: T): void {
    const owner = this.#ownerOf(item);
    const items = this.#byOwner.get(owner);
    if (items?.delete(item) !== true) return;
    if (items.size === 0) this.#byOwner.delete(owner);
    this.#size--;
  }

  /** Takes out the next; undefined: nothing waits. */
  take(): T | undefined {
    const [first] = this.#byOwner;
    if (first === undefined) return undefined;
    const [owner, items] = first;
    const [item] = items;
    if (item === undefined) return undefined;
    this.#takeOut(owner, items, item);
    return item;
  }

  clear(): void {
    this.#byOwner.clear();
    this.#size = 0;
  }

  /**
   * Takes out one item of each owner in turn and gives it to `use`, while `goesOn`. One for which that returns true comes
   * again, after the others; of the others there are no more turns than items that waited. All may be added again meanwhile.
   */
  go(goesOn: () => boolean, use: (item: T) => boolean): void {
    const left = new Map<string, number>();
    // An owner that had its turn is put at the end, where this loop meets it again.
    for (const [owner, items] of this.#byOwner) {
      const turns = left.get(owner) ?? items.size;
      const [item] = items;
      if (turns === 0 || item === undefined) continue;
      if (!goesOn()) return;
      this.#takeOut(owner, items, item);
      const comesAgain = use(item);
      if (comesAgain) this.add(item);
      left.set(owner, comesAgain ? turns : turns - 1);
    }
  }

  /** And puts the owner at the end. */
  #takeOut(owner: string, items: Set<T>, item: T): void {
    this.#byOwner.delete(owner);
    items.delete(item);
    this.#size--;
    if (items.size > 0) this.#byOwner.set(owner, items);
  }
}
