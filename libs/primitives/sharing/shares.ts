// Places that several owners share: none of them can have more than its part.

export interface SharesLimits {
  readonly all: number;
  readonly each: number;
}

export class Shares {
  readonly #limits: SharesLimits;
  readonly #taken = new Map<string, number>();
  #all = 0;

  constructor(limits: SharesLimits) {
    this.#limits = limits;
  }

  /** Takes a place; returns false if there is none for this owner. Each taken place must be left. */
  take(owner: string): boolean {
    const own = this.#taken.get(owner) ?? 0;
    if (this.#all >= this.#limits.all || own >= this.#limits.each) return false;
    this.#all++;
    this.#taken.set(owner, own + 1);
    return true;
  }

  leave(owner: string): void {
    const left = (this.#taken.get(owner) ?? 1) - 1;
    this.#all--;
    if (left === 0) this.#taken.delete(owner);
    else this.#taken.set(owner, left);
  }
}
