// The names of one JSON object so far; most objects have one or two, so a set is made for the second only.

export class Names {
  #first: string | undefined;
  #all: Set<string> | undefined;

  /** False: it is there already. */
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
