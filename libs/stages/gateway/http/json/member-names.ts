// Collects the names in one JSON object; many objects have just one, so a set is made only for the second.

export class MemberNames {
  #first: string | undefined;
  #all: Set<string> | undefined;

  /** False: the object has this name already. */
  add(name: string): boolean {
    if (this.#first === undefined) {
      this.#first = name;
      return true;
    }
    this.#all ??= new Set([this.#first]);
    if (this.#all.has(name)) return false;
    this.#all.add(name);
    return true;
  }
}
