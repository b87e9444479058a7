// Items of several owners that wait for something: owners take turns, and so do the items of each.

interface OfOwner<T> {
  readonly items: Set<T>;
  /** One iterator for all takes: a new one would have to skip the slots of all items that were removed. */
  readonly order: SetIterator<T>;
}

export class TurnsOfOwners<T> {
  /** In the order of turns. */
  readonly #byOwner = new Map<string, OfOwner<T>>();
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
    for (const { items } of this.#byOwner.values()) yield* items;
  }

  /** After its owner's others; one that waits already keeps its turn. */
  add(item: T): void {
    const owner = this.#ownerOf(item);
    const known = this.#byOwner.get(owner);
    if (known?.items.has(item) === true) return;
    if (known !== undefined) known.items.add(item);
    else {
      const items = new Set([item]);
      this.#byOwner.set(owner, { items, order: items.values() });
    }
    this.#size++;
  }

  delete(item: T): void {
    const owner = this.#ownerOf(item);
    const known = this.#byOwner.get(owner);
    if (known?.items.delete(item) !== true) return;
    if (known.items.size === 0) this.#byOwner.delete(owner);
    this.#size--;
  }

  /** Takes out the next of an owner that may have its turn; undefined: nothing of one waits. Others keep theirs. */
  take(mayTake: (owner: string) => boolean = () => true): T | undefined {
    for (const [owner, known] of this.#byOwner) if (mayTake(owner)) return this.#takeOut(owner, known);
    return undefined;
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
    for (const [owner, known] of this.#byOwner) {
      const turns = left.get(owner) ?? known.items.size;
      if (turns === 0) continue;
      if (!goesOn()) return;
      const item = this.#takeOut(owner, known);
      if (item === undefined) continue;
      const comesAgain = use(item);
      if (comesAgain) this.add(item);
      left.set(owner, comesAgain ? turns : turns - 1);
    }
  }

  /** Takes out the owner's next item, and puts the owner at the end. */
  #takeOut(owner: string, known: OfOwner<T>): T | undefined {
    this.#byOwner.delete(owner);
    const { value, done } = known.order.next();
    if (done === true) return undefined;
    known.items.delete(value);
    this.#size--;
    if (known.items.size > 0) this.#byOwner.set(owner, known);
    return value;
  }
}
