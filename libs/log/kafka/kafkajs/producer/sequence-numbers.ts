// Numbers a producer's records in each partition: a leader accepts each sequence number once, in order.

/** Sequence numbers have 31 bits, and start again at 0 after the last. */
const sequenceCount = 2 ** 31;

export class SequenceNumbers {
  readonly #next = new Map<string, number>();

  /** Reserves numbers for `count` records and returns the first; the next call continues after them. */
  reserve(topic: string, partition: number, count: number): number {
    const partitionKey = `${topic}/${partition}`;
    const first = this.#next.get(partitionKey) ?? 0;
    this.#next.set(partitionKey, (first + count) % sequenceCount);
    return first;
  }
}
