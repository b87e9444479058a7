// How much to ask a broker for: it counts compressed bytes, but memory holds what they unpack to.
import { limits } from '../kafka-limits.ts';

export class FetchSize {
  #bytes: number = limits.fetchBytesFirst;

  /** For the next request, all its partitions together; the broker gives at least one batch whatever its size. */
  get bytes(): number {
    return this.#bytes;
  }

  /** An answer unpacked to this much: one that was less than asked for says nothing about the next. */
  learn(unpackedBytes: number): void {
    const { fetchUnpackedBytes, fetchBytes, fetchBytesMin } = limits;
    const fitting = Math.floor(this.#bytes * (fetchUnpackedBytes / unpackedBytes));
    if (fitting < this.#bytes) this.#bytes = Math.max(fetchBytesMin, fitting);
    else if (unpackedBytes >= this.#bytes) this.#bytes = Math.min(fetchBytes, fitting, this.#bytes * 2);
  }
}
