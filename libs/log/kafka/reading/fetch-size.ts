// Decides how many bytes to ask a broker for: the broker counts compressed bytes, but memory holds the unpacked ones.
import { limits } from '../kafka-limits.ts';

export interface FetchedSize {
  /** The bytes that its request asked for: another answer may have changed `bytes` since. */
  readonly askedBytes: number;
  readonly unpackedBytes: number;
  /** Records were left out for their size. Any other answer may be far smaller than asked for. */
  readonly full: boolean;
}

export class FetchSize {
  #bytes: number = limits.fetchBytesFirst;

  /** For the next request, all its partitions together; the broker gives at least one batch of any size. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Learns from an answer. One that is not full can only lower the size: it says nothing about a larger one. */
  learn({ askedBytes, unpackedBytes, full }: FetchedSize): void {
    const { fetchUnpackedBytes, fetchBytes, fetchBytesMin } = limits;
    const fitting = Math.floor(askedBytes * (fetchUnpackedBytes / unpackedBytes));
    if (fitting < askedBytes) this.#bytes = Math.max(fetchBytesMin, Math.min(this.#bytes, fitting));
    else if (full && unpackedBytes >= askedBytes)
      this.#bytes = Math.max(this.#bytes, Math.min(fetchBytes, fitting, askedBytes * 2));
  }
}
