// The events of a cursor that lately ceased to be parked, and may be parked again: their records may not be on the log yet.

/** More than an append takes along and what waits for the next one: everything before is on the log. */
const keptMax = 4_096;

interface Change {
  readonly isParked: boolean;
}

export class Lately {
  /** The last change of each event, by offset; the newest last. */
  readonly #changes = new Map<number, Change>();

  leaves(offset: number): void {
    this.#note(offset, { isParked: false });
  }

  /** It is parked; that is remembered only if it had lately ceased to be. */
  returns(offset: number): void {
    if (this.#changes.has(offset)) this.#note(offset, { isParked: true });
  }

  /** Undefined: as the log says. */
  isParked(offset: number): boolean | undefined {
    return this.#changes.get(offset)?.isParked;
  }

  /** Forgets what happened before this call once `written` says that it is on the log. */
  async forget(written: Promise<void>): Promise<void> {
    const before = [...this.#changes];
    await written;
    for (const [offset, change] of before) if (this.#changes.get(offset) === change) this.#changes.delete(offset);
  }

  #note(offset: number, change: Change): void {
    this.#changes.delete(offset);
    this.#changes.set(offset, change);
    const [oldest] = this.#changes.keys();
    if (this.#changes.size > keptMax && oldest !== undefined) this.#changes.delete(oldest);
  }
}
