// How much to ask a broker for: the broker counts compressed bytes, but memory holds the unpacked ones.
import { limits } from '../kafka-limits.ts';

export class FetchSize {
  #bytes: number = limits.fetchBytesFirst;

  /** For the next request, all its partitions together; the broker gives at least one batch of any size. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Learns from the unpacked size of an answer. An answer smaller than asked for says nothing about the next one. */
  learn(unpackedBytes: number): void {
    const { fetchUnpackedBytes, fetchBytes, fetchBytesMin } = limits;
    const fitting = Math.floor(this.#bytes * (fetchUnpackedBytes / unpackedBytes));
    if (fitting < this.#bytes) this.#bytes = Math.max(fetchBytesMin, fitting);
    else if (unpackedBytes >= this.#bytes) this.#bytes = Math.min(fetchBytes, fitting, this.#bytes * 2);
  }
}
