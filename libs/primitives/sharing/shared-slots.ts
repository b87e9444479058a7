// Places that several owners share: none of them can have more than its part.

export interface SharedSlotsLimits {
  readonly all: number;
  readonly each: number;
}

export class SharedSlots {
  readonly #limits: SharedSlotsLimits;
  readonly #takenByOwner = new Map<string, number>();
  #takenTotal = 0;

  constructor(limits: SharedSlotsLimits) {
    this.#limits = limits;
  }

  /** Takes a place; returns false if there is none for this owner. Each taken place must be left. */
  tryAcquire(owner: string): boolean {
    const own = this.#takenByOwner.get(owner) ?? 0;
    if (this.#takenTotal >= this.#limits.all || own >= this.#limits.each) return false;
    this.#takenTotal++;
    this.#takenByOwner.set(owner, own + 1);
    return true;
  }

  release(owner: string): void {
    const remaining = (this.#takenByOwner.get(owner) ?? 1) - 1;
    this.#takenTotal--;
    if (remaining === 0) this.#takenByOwner.delete(owner);
    else this.#takenByOwner.set(owner, remaining);
  }
}
