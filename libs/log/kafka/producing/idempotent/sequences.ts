// How many records a producer has sent to each partition: a leader takes each number once, in order.

/** Numbers are 32 bits without a sign, and begin anew after the last. */
const numbers = 2 ** 31;

export class Sequences {
  readonly #next = new Map<string, number>();

  /** The number of the first of so many records, which are never asked for again. */
  take(topic: string, partition: number, count: number): number {
    const place = `${topic}/${partition}`;
    const first = this.#next.get(place) ?? 0;
    this.#next.set(place, (first + count) % numbers);
    return first;
  }
}
