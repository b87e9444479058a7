// The events of a cursor that lately ceased to be parked: their records may not be on the log yet.

/** More than an append takes along and what waits for the next one: everything before is on the log. */
const keptMax = 4_096;

export class Lately {
  /** By offset, the newest last. */
  readonly #left = new Set<number>();

  leaves(offset: number): void {
    this.#left.delete(offset);
    this.#left.add(offset);
    const [oldest] = this.#left;
    if (this.#left.size > keptMax && oldest !== undefined) this.#left.delete(oldest);
  }

  /** It is parked again. */
  returns(offset: number): void {
    this.#left.delete(offset);
  }

  has(offset: number): boolean {
    return this.#left.has(offset);
  }
}
