// A queue of the items of several owners: owners take turns, and so do the items of each.

interface OwnerItems<T> {
  readonly items: Set<T>;
  /** One iterator for all takes: a new one would have to skip the slots of all items that were removed. */
  readonly order: SetIterator<T>;
}

export class FairQueue<T> {
  /** In the order of turns. */
  readonly #byOwner = new Map<string, OwnerItems<T>>();
  readonly #ownerOf: (item: T) => string;
  #size = 0;

  constructor(ownerOf: (item: T) => string) {
    this.#ownerOf = ownerOf;
  }

  get size(): number {
    return this.#size;
  }

  /** How many items of the owner wait. */
  sizeOf(owner: string): number {
    return this.#byOwner.get(owner)?.items.size ?? 0;
  }

  /** Yields all waiting items, by owner. */
  *[Symbol.iterator](): Generator<T> {
    for (const { items } of this.#byOwner.values()) yield* items;
  }

  /** Adds an item after its owner's others; an item that waits already keeps its turn. */
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

  /**
   * Removes and returns the next item of an owner that `canTake`; undefined when none waits. Other owners keep their
   * turns.
   */
  take(canTake: (owner: string) => boolean = () => true): T | undefined {
    for (const [owner, known] of this.#byOwner) if (canTake(owner)) return this.#shiftFrom(owner, known);
    return undefined;
  }

  clear(): void {
    this.#byOwner.clear();
    this.#size = 0;
  }

  /**
   * Removes one item of each owner in turn and calls `use`, while `shouldContinue`. An owner for which `use` returns
   * true has further turns, after the others; the others have no more turns than items that waited. Items can be added
   * again in `use`.
   */
  takeTurns(shouldContinue: () => boolean, use: (item: T) => boolean): void {
    const remainingTurns = new Map<string, number>();
    // An owner that had its turn is moved to the end, where this loop reaches it again.
    for (const [owner, known] of this.#byOwner) {
      const turns = remainingTurns.get(owner) ?? known.items.size;
      if (turns === 0) continue;
      if (!shouldContinue()) return;
      const item = this.#shiftFrom(owner, known);
      if (item === undefined) continue;
      const isRequeued = use(item);
      if (isRequeued) this.add(item);
      remainingTurns.set(owner, isRequeued ? turns : turns - 1);
    }
  }

  /** Removes and returns the owner's next item, and moves the owner to the end. */
  #shiftFrom(owner: string, known: OwnerItems<T>): T | undefined {
    this.#byOwner.delete(owner);
    const { value, done } = known.order.next();
    if (done === true) return undefined;
    known.items.delete(value);
    this.#size--;
    if (known.items.size > 0) this.#byOwner.set(owner, known);
    return value;
  }
}
