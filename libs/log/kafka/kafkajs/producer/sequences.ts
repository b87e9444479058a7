// Numbers a producer's records in each partition: a leader accepts each sequence number once, in order.

/** Sequence numbers have 31 bits, and start again at 0 after the last. */
const numbers = 2 ** 31;

export class Sequences {
  readonly #next = new Map<string, number>();

  /** Reserves numbers for `count` records and returns the first; the next call continues after them. */
  take(topic: string, partition: number, count: number): number {
    const place = `${topic}/${partition}`;
    const first = this.#next.get(place) ?? 0;
    this.#next.set(place, (first + count) % numbers);
    return first;
  }
}
